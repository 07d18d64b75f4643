import { explainsFailure } from '../../classification/classify-dsn.ts'
import type { Fields } from './fields.ts'

const FIELD_COUNT_MAX = 20
/** Real DSNs have one reason, and a line of a reply at most 512 bytes (RFC 5321 section 4.5.3.1.5). */
const REASON_COUNT_MAX = 2
const REASON_CHARS_MAX = 600
/** Names, hosts, queue numbers and programs: a recipient with the display name `User Unknown` exists. */
const NAMES_NO_REASON =
  /-(?:name|recipients?|sender|from|to|address|id|ids|guid|mta|virtualmta|host|ip|date|time|version|mailer|agent|subject)$|^x-(?:mailer|spam|virus|junk)/
/** Other fields state a reason only by a reply code: `X-Rule: Not found` concerns a rule. */
const NAMES_REASON =
  /(?:^|-)(?:info|information|notes?|reasons?|errors?|text|bounce-?category|category|diagnos(?:is|tics?)|explanation|description|details?|response|reply|cause|failure)(?:-|$)/
/**
 * `< host #5.1.1 smtp;550 ...>`: Exchange writes this into X-Supplementary-Info, and no Diagnostic-Code (MS-OXCMAIL
 * section 2.2.3.7.1.2). Host and reply may be absent.
 */
const SUPPLEMENTARY = /^<[^<>#]{0,255}#([245]\.\d{1,3}\.\d{1,3})(?:\s+(\S.*?))?>?$/
const TYPE = /^(?:smtp|x-[a-z-]{1,30})\s*;\s*/i
const BEGINS_WITH_CODE = /^(?:[45][0-5]\d[ -]+\S|[45]\.\d{1,3}\.\d{1,3}\b)/
/** The name of a class, which PowerMTA derives from the reply: `bad-mailbox`. */
const CLASS = /^[a-z]+(?:-[a-z]+){1,3}$/i

/**
 * Returns the reasons that vendor fields (`X-`, RFC 3464 section 2.4) give for a recipient. They count only where the
 * standard fields leave the reason open: with a reply code, or in a field that is named for a reason. The name of a class says less than any reply, so it counts only without one.
 */
export function findVendorReasons(group: Fields, hasReply: boolean): string[] {
  return group
    .filter(
      ({ name, value }) =>
        name.startsWith('x-') && !NAMES_NO_REASON.test(name) && !(hasReply && CLASS.test(value)),
    )
    .slice(0, FIELD_COUNT_MAX)
    .map(({ name, value }) => ({ name, reason: reasonOf(value.slice(0, REASON_CHARS_MAX)) }))
    .filter(
      ({ name, reason }) =>
        BEGINS_WITH_CODE.test(reason) || (NAMES_REASON.test(name.slice(2)) && explainsFailure(reason)),
    )
    .slice(0, REASON_COUNT_MAX)
    .map(({ reason }) => reason)
}

/**
 * Returns whether a Status names a reason. The detail 0 means "other or undefined" (RFC 3463 section 3); of media (5.6.0)
 * and of policy (5.7.0) the subject alone already says that the address is not at fault.
 */
export function isDefiniteStatus(status: string | null): boolean {
  return status !== null && !/^5\.[0-5]\.0$/.test(status)
}

function reasonOf(value: string): string {
  const match = SUPPLEMENTARY.exec(value)
  const text = match === null ? value : (match[2] ?? match[1] ?? '')
  return CLASS.test(text) ? text.replaceAll('-', ' ') : text.replace(TYPE, '')
}
