import { setImmediate as nextTurn } from 'node:timers/promises'
import { applyUnsubscribe } from '../audience/unsubscribes/apply-unsubscribe.ts'
import type { Dsn } from '../classification/dsn.ts'
import type { Db, Queryable } from '../db/db-types.ts'
import { isBadData } from '../db/sqlstate.ts'
import { findRecipientKey, type ReportedKey } from '../emails/rows/reported-deliveries-queries.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { readAddressKey } from '../mime/address.ts'
import { findHeaderEnd, firstValue, type HeaderField, readFields } from '../mime/raw/raw-header.ts'
import { reply, type ServerReply, type SmtpEnvelope, type SmtpHandlers } from '../smtp/server/smtp-types.ts'
import { findReturnPathTeam } from '../teams/teams-queries.ts'
import { applyDsn, type DsnEffect } from './apply-dsn.ts'
import { isAutomaticSubject } from './dsn/auto-reply.ts'
import { type OpenedDsn, openText, textOfDsn } from './dsn/open-dsn.ts'
import { readOpenedDsn } from './dsn/read-dsn.ts'
import { subjectOf } from './dsn/subject.ts'
import { findProof } from './find-proof.ts'
import { findTarget, type InboundTarget, type RecipientDeps } from './recipients.ts'

/** The subject of our mailto link. Some mail clients write it in the body instead. */
const UNSUBSCRIBE_SUBJECT = /^\s*unsubscribe\s*$/i

/** The effect of a message on one of our addresses. */
export type ReceivedEffect = DsnEffect | 'unsubscribed' | 'unproven' | 'unfit'

export interface ReceiveDeps extends RecipientDeps {
  db: Db
  /** Finds unsubscriptions of people who were erased. */
  hashAddress: HashAddress
  clock: Clock
  log: Log
  /** Counts effects for metrics. */
  count(target: InboundTarget['kind'], effect: ReceivedEffect): void
}

const TAKEN = reply(250, '2.6.0', 'Message accepted')
const UNFIT = reply(554, '5.6.0', 'The content of the message cannot be stored')

/**
 * Returns the handlers of one inbound connection. Errors (the database is unavailable) become a 451, so the client
 * retries.
 */
export function createDsnHandlers(deps: ReceiveDeps): SmtpHandlers {
  const targets = new Map<string, InboundTarget>()
  return {
    async onMail() {
      targets.clear()
      return null
    },
    async onRcpt({ address }) {
      const target = await findTarget(deps, address)
      if ('code' in target) return target
      targets.set(address, target)
      return null
    },
    async onMessage(envelope, content) {
      return receive(deps, targets, envelope, content)
    },
  }
}

/**
 * Returns 250 after everything is committed. A message that was only partly applied is applied again as a whole, and
 * changes only what is missing.
 */
async function receive(
  deps: ReceiveDeps,
  targets: ReadonlyMap<string, InboundTarget>,
  { sender, recipients }: SmtpEnvelope,
  content: Buffer,
): Promise<ServerReply> {
  // The session has just joined the message. Each step of a large one takes a turn of its own.
  await nextTurn()
  const text = textOfDsn(content)
  await nextTurn()
  const opened = openText(text)
  await nextTurn()
  const dsn = readOpenedDsn(opened)
  await nextTurn()
  let answer = TAKEN
  for (const { address } of recipients) {
    const target = targets.get(address)
    if (target === undefined) throw new Error('A recipient has no target.')
    const { key, effect } = await applyIfFit(deps, target, dsn, (of) =>
      isUnsubscribeRequest(deps.db, of, sender.address, content, opened),
    )
    if (effect === 'unfit') answer = UNFIT
    deps.count(target.kind, effect)
    deps.log.info(
      { address: target.kind, dsn: dsn.kind, effect, team_id: key?.teamId, email_id: key?.emailId },
      'received a bounce or complaint',
    )
  }
  return answer
}

/** Returns whether the message asks to unsubscribe the recipient. */
type IsRequested = (key: ReportedKey) => Promise<boolean>

interface Applied {
  key: ReportedKey | null
  effect: ReceivedEffect
}

/**
 * Rejects a DSN permanently at this recipient if the database rejects its content: after a 451 it would return for
 * days.
 */
async function applyIfFit(
  deps: ReceiveDeps,
  target: InboundTarget,
  dsn: Dsn,
  isRequested: IsRequested,
): Promise<Applied> {
  try {
    return await apply(deps, target, dsn, isRequested)
  } catch (error) {
    if (!isBadData(error)) throw error
    deps.log.error({ err: error, dsn: dsn.kind }, 'a DSN cannot be stored')
    return { key: target.kind === 'feedback' ? null : target.key, effect: 'unfit' }
  }
}

async function apply(
  deps: ReceiveDeps,
  target: InboundTarget,
  dsn: Dsn,
  isRequested: IsRequested,
): Promise<Applied> {
  const now = deps.clock.now()
  if (target.kind === 'feedback') return applyFeedback(deps, dsn, now)
  const { key } = target
  if (target.kind === 'return_path') return { key, effect: await applyReport(deps, key, dsn, now) }
  const isReport = dsn.kind === 'delivery_status' || dsn.kind === 'complaint'
  if (isReport || !(await isRequested(key))) return { key, effect: 'not_applicable' }
  return { key, effect: await unsubscribe(deps, key, now) }
}

/**
 * Reports of a recipient who wants no more such mail. The drafts of RFC 5965 defined them, and some providers send them. They
 * are requests to unsubscribe: no complaint, and no reason to suppress receipts as well.
 */
const OPT_OUT = new Set(['opt-out', 'opt-out-list'])

async function applyReport(
  deps: ReceiveDeps,
  key: ReportedKey,
  dsn: Dsn,
  now: Date,
): Promise<ReceivedEffect> {
  const isOptOut = dsn.kind === 'complaint' && OPT_OUT.has(dsn.feedback)
  return isOptOut ? unsubscribe(deps, key, now) : applyDsn(deps.db, key, dsn, now)
}

async function unsubscribe(
  { db, hashAddress }: ReceiveDeps,
  key: ReportedKey,
  now: Date,
): Promise<ReceivedEffect> {
  return (await applyUnsubscribe(db, hashAddress, key, now)) ? 'unsubscribed' : 'nothing_new'
}

/**
 * Applies a report to the public feedback address. It counts only for the recipient whose copy it proves to contain.
 */
async function applyFeedback(deps: ReceiveDeps, dsn: Dsn, now: Date): Promise<Applied> {
  const { db, keys } = deps
  if (dsn.kind !== 'complaint') return { key: null, effect: 'not_applicable' }
  const proof = findProof(keys, dsn.returned)
  const teamId = proof === null ? null : await findReturnPathTeam(db, proof.teamTag, null)
  if (proof === null || teamId === null) return { key: null, effect: 'unproven' }
  const key = { teamId, emailId: proof.emailId, no: proof.no }
  return { key, effect: await applyReport(deps, key, dsn, now) }
}

/**
 * Returns whether a message to the unsubscribe address of a recipient asks to unsubscribe. Not every vacation program
 * marks its answers. Without the subject or the body of our link, only a message from the recipient counts, unless its
 * subject is one of a vacation program.
 */
async function isUnsubscribeRequest(
  db: Queryable,
  key: ReportedKey,
  sender: string,
  message: Buffer,
  { fields, parts }: OpenedDsn,
): Promise<boolean> {
  if (isAutomaticAnswer(sender, message)) return false
  const subject = subjectOf(fields)
  if (isAutomaticSubject(subject)) return false
  const text = parts.find(({ type }) => type === 'text/plain')?.text ?? ''
  if (UNSUBSCRIBE_SUBJECT.test(subject) || UNSUBSCRIBE_SUBJECT.test(text)) return true
  const from = readAddressKey(sender)
  return from !== null && from === (await findRecipientKey(db, key))
}

/**
 * Returns whether a program sent a message in reply to another, so that it is not a request (RFC 3834 section 2, and
 * the older marks of vacation programs that do not support it). A mail client that unsubscribes for its user may mark
 * its message as generated, which is not a reply.
 */
function isAutomaticAnswer(sender: string, message: Buffer): boolean {
  if (sender === '') return true
  const fields: HeaderField[] = []
  const end = findHeaderEnd(message, 0)
  if (end > 0) readFields(message, 0, end, fields)
  const fieldOf = (name: string) => firstValue(message, fields, name)?.toLowerCase() ?? null
  return (
    fieldOf('auto-submitted')?.startsWith('auto-replied') === true ||
    fieldOf('precedence') === 'auto_reply' ||
    fieldOf('x-autoreply') !== null ||
    fieldOf('x-autorespond') !== null ||
    fieldOf('x-auto-response-suppress') !== null ||
    fieldOf('x-failed-recipients') !== null
  )
}
