import { decodeSubject } from '../../mime/raw-mailbox.ts'
import type { Notice } from '../../operations/classify/notice.ts'
import { isAutoReply } from './auto-reply.ts'
import type { Claim } from './claim.ts'
import { enrichClaims, nameAddressees } from './enrich-claims.ts'
import { findField } from './fields.ts'
import { judgeClaim } from './judge-claim.ts'
import { findNoticeText, type NoticeText } from './notice-text.ts'
import { type NoticePart, type OpenedNotice, openNotice } from './open-notice.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { readWords } from './read-words.ts'
import { describeReturned, findReturnedHeader } from './returned.ts'
import { hasStatusFields, readStatusFields } from './status-fields.ts'
import { findPassages } from './words.ts'

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status'])

/**
 * A notification with delivery status fields, in their own part or wherever they stand; null for all else. What answers
 * a message of ours may quote such fields from it: there only a part of their own counts.
 */
export function readDeliveryStatus(outer: OpenedNotice): Notice | null {
  const own = outer.parts.find(isStatusPart)
  if (own === undefined && isAnswer(outer)) return null
  const opened = findStatusPart(outer) === undefined ? openForwarded(outer) : outer
  const part = opened === null ? undefined : findStatusPart(opened)
  if (opened === null || part === undefined) return null
  const claims = readStatusFields(part.text)
  if (claims.length === 0) return null
  const text = findNoticeText(opened)
  const header = findReturnedHeader(opened, text.rest)
  const named = nameAddressees(claims, opened.fields, header)
  return noticeOf(enrichClaims(named, text.words), header)
}

/** A gateway that put the notification into a notice of its own. */
function openForwarded({ parts }: OpenedNotice): OpenedNotice | null {
  const part = parts.find(
    ({ type, text }) =>
      type === 'message/rfc822' && /^content-type:\s*multipart\/report/im.test(text.slice(0, 65536)),
  )
  return part === undefined ? null : openNotice(Buffer.from(part.text, 'utf8'))
}

/** Written by a person or a vacation program, not by a mail server. */
function isAnswer(opened: OpenedNotice): boolean {
  if (WRITER.test(findField(opened.fields, 'from') ?? '')) return false
  return isAutoReply(opened) || ANSWER.test(decodeSubject(findField(opened.fields, 'subject') ?? ''))
}

function isStatusPart({ type, text }: NoticePart): boolean {
  return STATUS_TYPES.has(type) && text.trim() !== ''
}

function findStatusPart({ parts }: OpenedNotice): NoticePart | undefined {
  return (
    parts.find(isStatusPart) ??
    parts.find(({ type, text }) => type.startsWith('text/') && hasStatusFields(text))
  )
}

const WRITER =
  /mailer-daemon|mail delivery|postmaster|post_master|mail(?:er)? (?:system|administrator|daemon)|maildaemon|mdaemon|mail-daemon|mailsystem|double-bounce/i
const SUBJECT =
  /undeliver|not (?:be )?deliver|returned (?:mail|to sender|message)|return(?:ing)? (?:mail|message|to sender)|fail(?:ure|ed)|delivery (?:status|report|problem|error|notif|delay|temporar)|could ?n[o']t (?:be )?(?:sent|deliver)|mail (?:system )?error|delayed|warning: (?:could not|message)|bounce|rejected|unzustell|zustell(?:ungs)?fehler|nicht zugestellt|[ée]chec|non (?:remis|distribu|recapit)|no se (?:pudo|puede) entregar|no entregad|mancat[ao]|n[ãa]o (?:foi )?entreg|onbestelbaar|niet bezorgd|niedostarcz|nedoru[čc]|недостав|не (?:может быть )?доставлен|退信|退回|配信(?:不能|でき|エラー)|送信(?:でき|エラー)|不達|unknown user|user unknown|message status|error (?:sending|delivering)|problem (?:sending|delivering)|not (?:a )?member|loop alert/i
/** Words without which no failure is told. */
const FAILS =
  /\b(?:un)?deliver|\bfail|\breject|\brefus|\bbounce|\breturn|\bunknown|could ?n[o']t|cannot|unable|\b[45]\d\d[ -]|not (?:found|exist|accept|a member)|duplicated|\bnicht\b|fehler|\bpas\b|[ée]chec|\bno se\b|\bnon\b|imposs[ií]|\bn[ãa]o\b|\bniet\b|\bnie\b|\bне\b|不|できません|ませんでした|エラー/iu

const ANSWER = /^\s*(?:re|aw|sv|antw|odp|rif|回复|答复)\s*(?:\[\d+\])?:/i

/** A failure or a delay told in words alone; null where the message is none. */
export function readFailureText(opened: OpenedNotice): Notice | null {
  const text = findNoticeText(opened)
  if (!tellsFailure(opened, text)) return null
  const header = findReturnedHeader(opened, text.rest)
  const claims = readWords(opened, text, header)
  return noticeOf(claims, header)
}

function tellsFailure(opened: OpenedNotice, { words, rest }: NoticeText): boolean {
  const { fields } = opened
  if (findField(fields, 'x-failed-recipients') !== null) return true
  const subject = decodeSubject(findField(fields, 'subject') ?? '')
  const isTold = SUBJECT.test(subject)
  const hasReply = findQuotedReply(words) !== null
  if (WRITER.test(findField(fields, 'from') ?? '')) {
    return isTold || hasReply || ((rest !== null || FAILS.test(words)) && !isAutoReply(opened))
  }
  // People's subjects come back in answers, and vacation programs have an empty return path as mail servers have.
  if (isAutoReply(opened) || ANSWER.test(subject) || !FAILS.test(words)) return false
  const isFromNobody = /^<?>?$/.test(findField(fields, 'return-path') ?? 'none')
  return isTold && (isFromNobody || hasReply || findPassages(words, new Set()).length > 0)
}

function noticeOf(claims: readonly Claim[], header: string | null): Notice {
  return {
    kind: 'delivery_status',
    recipients: claims.map(judgeClaim),
    returned: describeReturned(header),
  }
}
