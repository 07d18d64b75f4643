import type { Mailbox } from '../address.ts'
import { applyEdits, remove } from '../edits.ts'
import { addressField } from '../header.ts'
import { isProblem, type MessageProblem } from './message-problem.ts'
import { fieldValue, readMessageHeader } from './raw-header.ts'

/** In the order of mime/build.ts. */
const BUILT =
  /^from to (?:cc )?(?:reply-to )?subject date message-id (?:.* )?mime-version content-type(?: content-.*)?$/
/** RFC 2046: one of our boundaries, or a single text. */
const BUILT_TYPE =
  /^(?:text\/(?:plain|html); charset=utf-8$|multipart\/[a-z]+;\s*boundary="=_[0-9a-f-]{36}_[a-z]")/

/**
 * Returns whether a stored message has the form that mime/build.ts produces, so that it can be rebuilt from its parts.
 * A raw message of exactly this form loses nothing when it is rebuilt.
 * @param customNames lower-case names of the email's custom headers
 */
export function isBuiltMessage(bytes: Buffer, customNames: readonly string[]): boolean {
  const header = readMessageHeader(bytes)
  if (isProblem(header)) return false
  const { fields } = header
  const type = fields.find(({ name }) => name === 'content-type')
  if (type === undefined || !BUILT_TYPE.test(fieldValue(bytes, type).trim())) return false
  const names = fields.map(({ name }) => name)
  if (!BUILT.test(names.join(' '))) return false
  const custom = names.slice(names.indexOf('message-id') + 1, names.indexOf('mime-version'))
  return custom.every((name) => customNames.includes(name) || ADDED.has(name))
}

/** The fields that `unsubscribe` writes. */
const ADDED: ReadonlySet<string> = new Set(['list-unsubscribe', 'list-unsubscribe-post'])
/** Fields that identify one message, and signatures that cover them. */
const IDENTITY: ReadonlySet<string> = new Set(['message-id', 'date', 'dkim-signature'])
const ADDRESSEES: ReadonlySet<string> = new Set(['to', 'cc'])

/**
 * Returns a stored message without the fields that identify it, as the start of a new message.
 * @param to the recipients that replace To and Cc, or null to keep both fields
 */
export function withoutIdentity(bytes: Buffer, to: readonly Mailbox[] | null): Buffer | MessageProblem {
  const header = readMessageHeader(bytes)
  if (isProblem(header)) return header
  const isRemoved = (name: string) => IDENTITY.has(name) || (to !== null && ADDRESSEES.has(name))
  const rest = applyEdits(bytes, header.fields.filter(({ name }) => isRemoved(name)).map(remove))
  return to === null
    ? Buffer.concat(rest)
    : Buffer.concat([Buffer.from(addressField('To', to, true)), ...rest])
}
