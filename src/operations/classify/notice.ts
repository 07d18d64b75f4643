import type { Verdict } from '../../queue/types.ts'

/** What one message that came back says, whoever wrote it: a bounce, a complaint, somebody's vacation program. */
export type Notice =
  | { kind: 'delivery_status'; recipients: readonly NoticeRecipient[]; returned: ReturnedMessage }
  /** A feedback report (RFC 5965). `feedback` is its Feedback-Type, for example `abuse`. */
  | { kind: 'complaint'; feedback: string; recipients: readonly string[]; returned: ReturnedMessage }
  /** A person or a program answered (RFC 3834): says nothing of delivery. */
  | { kind: 'auto_reply' }
  | { kind: 'unknown' }

/** What a notice says of one recipient (RFC 3464 section 2.3). */
export interface NoticeRecipient {
  /** As written there; null where the notice names nobody. */
  address: string | null
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** Null when it was delivered, relayed or expanded. */
  verdict: Verdict | null
  smtpCode: number | null
  enhancedCode: string | null
  /** What the server said, at most 1 KB, control characters escaped. */
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
