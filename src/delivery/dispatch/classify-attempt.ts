import { explainCategory } from '../../classification/advise.ts'
import { classifyFailure, classifyReply, enhancedCodeOf } from '../../classification/classify.ts'
import { isOfMessage } from '../../classification/stages.ts'
import type { SignatureForm } from '../../mime/signature-form.ts'
import type { DeliveryResult, DueDelivery, TranscriptLine } from '../../queue/types.ts'
import type { Delivered } from '../client/mail-connection.ts'
import type { SmtpConnection } from '../client/smtp-connection.ts'
import type { OpenOutcome } from '../client/smtp-open.ts'
import type { SendOutcome } from '../client/smtp-types.ts'
import type { Transcript } from '../client/transcript.ts'
import type { Candidate } from '../routing/candidates.ts'

/** Returns the result of a delivery for which no host could be reached. `last` is the last host that was attempted. */
export function couldNotOpen(
  delivery: DueDelivery,
  last: { outcome: Extract<OpenOutcome, { ok: false }>; target: Candidate } | null,
  transcript: TranscriptLine[],
  startedAt: Date,
  startedMs: number,
): DeliveryResult {
  const outcome = last?.outcome ?? null
  const verdict =
    outcome?.reply != null
      ? classifyReply(outcome.reply, outcome.stage, last?.target.host)
      : classifyFailure(outcome?.failure?.kind ?? 'unreachable', outcome?.stage ?? 'connect')
  return {
    delivery,
    verdict,
    startedAt,
    durationMs: performance.now() - startedMs,
    smtpCode: outcome?.reply?.code ?? null,
    enhancedCode:
      outcome?.reply?.enhanced ??
      (outcome?.reply == null ? enhancedCodeOf(outcome?.failure?.kind ?? 'unreachable') : null),
    response: outcome?.reply?.text ?? outcome?.failure?.detail ?? explainCategory(verdict.category),
    mxHost: last?.target.host ?? null,
    mxAddress: last?.target.address ?? null,
    tls: null,
    transcript,
  }
}

/**
 * Enhanced codes with which a server asks for a lower rate, besides the code 421 (RFC 3463 sections 3.4, 3.5 and 3.8).
 */
const SLOW_DOWN = /^4\.(7\.\d+|4\.5|3\.2)$/

/** Returns the result of a delivery from the outcome of its transaction. */
export function classifyAttempt(attempt: {
  smtp: SmtpConnection
  delivery: DueDelivery
  outcome: SendOutcome
  transcript: Transcript
  /** Whether nothing was sent on the connection for a while before. */
  wasIdle: boolean
  /** The TLS description that the attempt stores. */
  tls: string | null
  /** Null when nothing was signed. */
  signedAs: SignatureForm | null
  startedAt: Date
  startedMs: number
}): Delivered {
  const { smtp, delivery, transcript, wasIdle, tls, signedAs, startedAt, startedMs } = attempt
  const { reply, failure, stage } = attempt.outcome
  const verdict =
    reply !== null
      ? classifyReply(reply, stage, smtp.target.host)
      : classifyFailure(failure?.kind ?? 'closed', stage)
  const result: DeliveryResult = {
    delivery,
    verdict,
    startedAt,
    durationMs: performance.now() - startedMs,
    smtpCode: reply?.code ?? null,
    enhancedCode: reply === null ? enhancedCodeOf(failure?.kind ?? 'closed') : reply.enhanced,
    response: reply?.text ?? failure?.detail ?? null,
    mxHost: smtp.target.host,
    mxAddress: smtp.target.address,
    sourceAddress: smtp.sourceAddress,
    tls,
    signedAs,
    transcript: transcript.lines,
  }
  return {
    result,
    stage,
    decidedBy: reply !== null ? 'reply' : isOfMessage(failure?.kind ?? 'closed') ? 'message' : 'loss',
    stale: wasIdle && failure?.kind === 'closed' && stage === 'mail',
    slowDown:
      reply !== null && (reply.code === 421 || (reply.code < 500 && SLOW_DOWN.test(reply.enhanced ?? ''))),
  }
}
