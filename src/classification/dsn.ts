import type { Verdict } from '../queue/types.ts'

/**
 * What one message that came back says, whoever wrote it: a bounce, a complaint, somebody's vacation program. Nothing of
 * it is proven. Text of foreigners is cut, and its control characters are escaped.
 */
export type Dsn =
  /** At least one recipient, at most 1,000, in the order of the notice. */
  | { kind: 'delivery_status'; recipients: readonly DsnRecipient[]; returned: ReturnedMessage }
  /**
   * A feedback report (RFC 5965). `feedback` is its Feedback-Type in lower case, for example `abuse`, `fraud`,
   * `auth-failure` (RFC 6591), `opt-out` or `not-spam`; not all of them are complaints. Often names no recipient.
   */
  | { kind: 'complaint'; feedback: string; recipients: readonly string[]; returned: ReturnedMessage }
  /** A person or a program answered (RFC 3834), or a mail program said that it was read: says nothing of delivery. */
  | { kind: 'auto_reply' }
  | { kind: 'unknown' }

/** What a notice says of one recipient (RFC 3464 section 2.3). */
export interface DsnRecipient {
  /** As written there, without brackets; null where the notice names nobody. Not always an address: a file, a program. */
  address: string | null
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /**
   * Null when it was delivered, relayed or expanded. Of what is `delayed` its state is `deferred`, of what `failed` it is
   * final (`bounced`, `failed` or `rejected`), whatever the code; `suppress` is true of dead addresses only.
   */
  verdict: Verdict | null
  /** 400-599, or null where no reply is quoted. */
  smtpCode: number | null
  /** RFC 3463: that of the reply, or else the Status field. */
  enhancedCode: string | null
  /** What the server said, or the notice's own words; at most 1 KB of one line, control characters escaped. */
  response: string | null
  /** The host that said it. */
  mxHost: string | null
}

/** What can be known of the message that the notice is about; nothing of it is proven. */
export interface ReturnedMessage {
  returnPath: string | null
  messageId: string | null
  /** Its header as it came back, at most 64 KB; null where none did. */
  header: Buffer | null
}
