import type { Verdict } from '../queue/types.ts'

/**
 * The content of one returned message: a bounce, a complaint, an automatic reply. None of it is proven. Third-party
 * text is truncated, and its control characters are escaped.
 */
export type Dsn =
  /** At least one recipient, at most 1,000, in the order of the DSN. */
  | { kind: 'delivery_status'; recipients: readonly DsnRecipient[]; returned: ReturnedMessage }
  /**
   * A feedback report (RFC 5965). `feedback` is its Feedback-Type in lower case, for example `abuse`, `fraud`,
   * `auth-failure` (RFC 6591), `opt-out` or `not-spam`; not all of them are complaints. Often names no recipient.
   */
  | { kind: 'complaint'; feedback: string; recipients: readonly string[]; returned: ReturnedMessage }
  /** A person or a program replied (RFC 3834), or a mail program reported that it was read: unrelated to delivery. */
  | { kind: 'auto_reply' }
  | { kind: 'unknown' }

/** The statement of a DSN about one recipient (RFC 3464 section 2.3). */
export interface DsnRecipient {
  /**
   * As written in the DSN, without brackets; null when it names none. Not always an address: it may be a file or
   * program.
   */
  address: string | null
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /**
   * Null when it was delivered, relayed or expanded. For `delayed` its state is `deferred`, for `failed` it is final
   * (`bounced`, `failed` or `rejected`), whatever the code; `suppress` is true for dead addresses only.
   */
  verdict: Verdict | null
  /** The code of the quoted reply (2xx, 4xx or 5xx); null without one. */
  smtpCode: number | null
  /** RFC 3463: the reply's code, otherwise the Status field. */
  enhancedCode: string | null
  /** The server's reply, or the DSN's own words; at most 1 KB on one line, control characters escaped. */
  response: string | null
  /** The host that sent the reply. */
  mxHost: string | null
}

/** The facts about the message that the DSN concerns; none of them is proven. */
export interface ReturnedMessage {
  returnPath: string | null
  messageId: string | null
  /** Its header as returned, at most 64 KB; null if there is none. */
  header: Buffer | null
}
