/** The fields that a relay may replace, which breaks a signature that covers them. */
export const REPLACEABLE_FIELDS = ['date', 'message-id'] as const
export type ReplaceableField = (typeof REPLACEABLE_FIELDS)[number]

export interface Relay {
  host: string
  port: number
  /** True: TLS from the first byte (smtps). */
  implicitTls: boolean
  user: string | null
  password: string | null
  /** Fields that it replaces, so that the signature leaves them out. */
  unsigned?: readonly ReplaceableField[]
}

const PORT = 587
const IMPLICIT_TLS_PORT = 465

/**
 * Parses a relay: `smtp(s)://user:password@host:port`. Returns null for anything else. The text may contain a password, so
 * error messages must not quote it.
 */
export function readRelay(text: string): Relay | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password } = new URL(text)
  if ((protocol !== 'smtp:' && protocol !== 'smtps:') || hostname === '') return null
  const implicitTls = protocol === 'smtps:'
  try {
    return {
      host: hostname,
      port: port === '' ? (implicitTls ? IMPLICIT_TLS_PORT : PORT) : Number(port),
      implicitTls,
      user: username === '' ? null : decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    }
  } catch {
    // The user or password has a percent sign that does not start an escape sequence.
    return null
  }
}
