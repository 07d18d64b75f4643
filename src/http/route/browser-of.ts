import type { Session } from '../../access/sessions-queries.ts'
import { cutToBytes, escapeControls } from '../../lib/text/foreign-text.ts'
import type { Request } from './route.ts'

const AGENT_BYTES_MAX = 200

export type Browser = Pick<Session, 'ipAddress' | 'userAgent'>

/** Returns what identifies the client to people: its address and user agent. */
export function browserOf({
  headers,
  ipAddress,
}: Pick<Request<unknown, unknown, unknown>, 'headers' | 'ipAddress'>): Browser {
  const agent = headers['user-agent']
  const userAgent = agent === undefined ? null : cutToBytes(escapeControls(String(agent)), AGENT_BYTES_MAX)
  return { ipAddress, userAgent }
}
