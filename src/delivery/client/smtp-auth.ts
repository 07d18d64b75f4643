import { exchange, isReply } from './smtp-exchange.ts'
import type { SmtpLink } from './smtp-link.ts'
import type { SmtpReply } from './smtp-reply.ts'
import type { SmtpFailure } from './smtp-types.ts'
import type { Transcript } from './transcript.ts'

interface Wire {
  link: SmtpLink
  transcript: Transcript
  timeoutMs: number
}

/**
 * Returns true for a loopback address: its traffic never leaves this machine, so that a password is safe without TLS.
 */
export function isThisMachine(address: string): boolean {
  return /^(127\.|::1$)/.test(address)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * Logs in to a relay (RFC 4954) with PLAIN (RFC 4616) or, failing that, LOGIN. Returns null on success, otherwise the
 * reason. A password is sent only over TLS or to a loopback address, and never appears in the transcript.
 */
export async function authenticate(
  wire: Wire,
  { user, password }: { user: string; password: string },
  mechanisms: readonly string[],
  { secure, address }: { secure: boolean; address: string },
): Promise<SmtpReply | SmtpFailure | null> {
  if (!secure && !isThisMachine(address)) {
    return { kind: 'auth_without_tls', detail: 'the relay wants a password but offers no TLS to protect it' }
  }
  if (mechanisms.includes('PLAIN')) {
    return ending(await say(wire, `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 'AUTH PLAIN ***'))
  }
  if (mechanisms.includes('LOGIN')) return loginByPrompts(wire, user, password)
  return { kind: 'auth_unavailable', detail: 'the relay offers neither AUTH PLAIN nor AUTH LOGIN' }
}

async function loginByPrompts(
  wire: Wire,
  user: string,
  password: string,
): Promise<SmtpReply | SmtpFailure | null> {
  for (const [line, logged] of [
    ['AUTH LOGIN', 'AUTH LOGIN'],
    [base64(user), '***'],
  ] as const) {
    const reply = await say(wire, line, logged)
    if (!isReply(reply) || reply.code !== 334) return reply
  }
  return ending(await say(wire, base64(password), '***'))
}

function say(
  { link, timeoutMs, transcript }: Wire,
  line: string,
  logged: string,
): Promise<SmtpReply | SmtpFailure> {
  return exchange(link, line, timeoutMs, transcript, logged)
}

function ending(reply: SmtpReply | SmtpFailure): SmtpReply | SmtpFailure | null {
  return isReply(reply) && reply.code === 235 ? null : reply
}
