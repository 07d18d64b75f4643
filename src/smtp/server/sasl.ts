import { reply, type SmtpReply } from './smtp-types.ts'

export interface Credentials {
  user: string
  password: string
}

/** Sends a challenge in base64 and returns the response line; null when the connection ends. */
export type Ask = (challenge: string) => Promise<string | null>

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** The challenges that clients and servers use for LOGIN, which has no standard. */
const USERNAME = Buffer.from('Username:').toString('base64')
const PASSWORD = Buffer.from('Password:').toString('base64')

const ABORTED = reply(501, '5.7.0', 'Authentication was aborted')
const BAD_FORM = reply(501, '5.5.2', 'That is not base64 of credentials')
/** RFC 4616: authorization identity, authentication identity, password. */
const PLAIN = /^[^\0]*\0([^\0]*)\0([^\0]+)$/

/**
 * Runs the AUTH exchange (RFC 4954 section 4), with or without an initial response: PLAIN (RFC 4616) and LOGIN. Returns
 * the credentials, a rejection, or null when the connection ends.
 */
export async function readCredentials(argument: string, ask: Ask): Promise<Credentials | SmtpReply | null> {
  const [, mechanism = '', initial] = /^(\S+)(?: +(\S+))? *$/.exec(argument) ?? []
  const name = mechanism.toUpperCase()
  if (name === 'PLAIN') return readPlain(initial, ask)
  if (name === 'LOGIN') return readLogin(initial, ask)
  return reply(504, '5.5.4', 'The mechanisms are PLAIN and LOGIN')
}

async function readPlain(initial: string | undefined, ask: Ask): Promise<Credentials | SmtpReply | null> {
  const answer = initial ?? (await ask(''))
  if (answer === null) return null
  const text = decode(answer)
  if (typeof text !== 'string') return text
  const [, user = '', password] = PLAIN.exec(text) ?? []
  return password === undefined ? BAD_FORM : { user, password }
}

async function readLogin(initial: string | undefined, ask: Ask): Promise<Credentials | SmtpReply | null> {
  const first = initial ?? (await ask(USERNAME))
  if (first === null) return null
  const user = decode(first)
  if (typeof user !== 'string') return user
  const second = await ask(PASSWORD)
  if (second === null) return null
  const password = decode(second)
  return typeof password === 'string' ? { user, password } : password
}

function decode(line: string): string | SmtpReply {
  if (line === '*') return ABORTED
  // An empty initial response is written as `=` (RFC 4954 section 4).
  if (line === '=') return ''
  return BASE64.test(line) ? Buffer.from(line, 'base64').toString('utf8') : BAD_FORM
}
