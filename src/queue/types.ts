/** Whose doing a refusal or a delay is. */
export type Fault = 'recipient' | 'policy' | 'reputation' | 'content' | 'quota' | 'ours' | 'network'

/** What one try at one recipient came to. Expected outcomes, never thrown. */
export interface Verdict {
  /** `sent`: a relay took it. `deferred`: try again. `bounced`: the other side refuses for good. `failed`: we cannot. */
  state: 'delivered' | 'sent' | 'deferred' | 'bounced' | 'failed' | 'rejected' | 'suppressed'
  /** A short noun from classification/verdict-categories.ts, for example `no_such_address`. */
  category: string
  fault: Fault | null
  /** One sentence for the person who asks why: what happened and what comes next. */
  advice: string
  /** True when this address should get no more mail (SUP-6). */
  suppress: boolean
  /** A pause that the reply asked for, milliseconds. */
  retryAfterMs: number | null
}

/** The key of one recipient of one email. */
export interface DeliveryKey {
  teamId: string
  emailId: string
  /** 0-149, the recipient's place in the email. */
  no: number
}

export interface EmailTag {
  name: string
  value: string
}

/** One recipient whose turn it is, leased to this process. */
export interface DueDelivery extends DeliveryKey {
  address: string
  addressKey: string
  /** A-label, lower case. */
  domain: string
  domainId: string
  /** Attempts finished before this one. */
  attempts: number
  expiresAt: Date
  createdAt: Date
  recipientCount: number
  /** Of the message, without its signatures. */
  sizeBytes: number
  /** Milliseconds since the epoch; moves on while this process says that it is at work. */
  leasedUntilMs: number
  /** When its address was last seen not to be suppressed, milliseconds since the epoch. */
  checkedAtMs: number
  /** Shared by all recipients of the email. Null when it is so large that it is loaded only to be sent. */
  message: LoadedMessage | null
  /** Of the email. Null: not read, because no rule asks for tags. */
  tags: readonly EmailTag[] | null
}

/** The finished bytes of an email without its DKIM-Signature fields. */
export interface LoadedMessage {
  bytes: Buffer
  smtpUtf8: boolean
  /** It was encoded for a server that takes seven bits alone, and is not what is stored. */
  sevenBit?: true
}

/** One line of an SMTP conversation as kept: never content, never secrets. */
export interface ConversationLine {
  /** Milliseconds since the attempt began. */
  at: number
  /** `C` client, `S` server, `*` a note (connecting, TLS, bytes sent). */
  who: 'C' | 'S' | '*'
  text: string
}

/** A finished try, ready to be settled. */
export interface DeliveryResult {
  delivery: DueDelivery
  verdict: Verdict
  startedAt: Date
  durationMs: number
  smtpCode: number | null
  /** RFC 3463, for example `5.1.1`. */
  enhancedCode: string | null
  /** What the server said, at most 1 KB, control characters escaped. */
  response: string | null
  mxHost: string | null
  mxAddress: string | null
  /** The local address it went out from; absent: it did not come to that. */
  sourceAddress?: string | null
  /** For example `TLSv1.3 TLS_AES_256_GCM_SHA384 mta-sts`, or `none (...)` and why; docs/deliverability.md has all words. */
  tls: string | null
  conversation: ConversationLine[]
}
