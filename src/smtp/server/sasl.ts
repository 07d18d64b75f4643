import { reply, type ServerReply } from './smtp-types.ts'

export interface Credentials {
  user: string
  password: string
}

/** Sends a challenge in base64. Returns the response line, or null if the connection ends. */
export type Ask = (challenge: string) => Promise<string | null>

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** The usual challenges of LOGIN, which has no standard. */
const USERNAME = Buffer.from('Username:').toString('base64')
const PASSWORD = Buffer.from('Password:').toString('base64')

const ABORTED = reply(501, '5.7.0', 'Authentication was aborted')
const MALFORMED = reply(501, '5.5.2', 'The response is not credentials in base64')
/** RFC 4616: authorization identity, authentication identity, password. */
const PLAIN = /^[^\0]*\0([^\0]*)\0([^\0]+)$/

/**
 * Runs the AUTH exchange (RFC 4954 section 4) of PLAIN (RFC 4616) or LOGIN, with or without an initial response.
 * Returns the credentials, a rejection, or null if the connection ends.
 */
export async function readCredentials(argument: string, ask: Ask): Promise<Credentials | ServerReply | null> {
  const [, mechanism = '', initial] = /^(\S+)(?: +(\S+))? *$/.exec(argument) ?? []
  const name = mechanism.toUpperCase()
  if (name === 'PLAIN') return readPlain(initial, ask)
  if (name === 'LOGIN') return readLogin(initial, ask)
  return reply(504, '5.5.4', 'Unknown mechanism; use PLAIN or LOGIN')
}

async function readPlain(initial: string | undefined, ask: Ask): Promise<Credentials | ServerReply | null> {
  const response = initial ?? (await ask(''))
  if (response === null) return null
  const text = decode(response)
  if (typeof text !== 'string') return text
  const [, user = '', password] = PLAIN.exec(text) ?? []
  return password === undefined ? MALFORMED : { user, password }
}

async function readLogin(initial: string | undefined, ask: Ask): Promise<Credentials | ServerReply | null> {
  const first = initial ?? (await ask(USERNAME))
  if (first === null) return null
  const user = decode(first)
  if (typeof user !== 'string') return user
  const second = await ask(PASSWORD)
  if (second === null) return null
  const password = decode(second)
  return typeof password === 'string' ? { user, password } : password
}

function decode(line: string): string | ServerReply {
  if (line === '*') return ABORTED
  // An empty initial response is written as `=` (RFC 4954 section 4).
  if (line === '=') return ''
  return BASE64.test(line) ? Buffer.from(line, 'base64').toString('utf8') : MALFORMED
}
