import type { SignatureForm } from '../mime/signature-form.ts'

/** The party responsible for a refusal or a delay. */
export type Fault = 'recipient' | 'policy' | 'reputation' | 'content' | 'quota' | 'ours' | 'network'

/** The outcome of one attempt at one recipient. Expected outcomes, never thrown. */
export interface Verdict {
  /**
   * `sent`: a relay accepted it. `deferred`: retry. `bounced`: the other side refuses permanently. `failed`: we cannot
   * send.
   */
  state: 'delivered' | 'sent' | 'deferred' | 'bounced' | 'failed' | 'rejected' | 'suppressed'
  /** A short noun from classification/verdict-categories.ts, for example `no_such_address`. */
  category: string
  fault: Fault | null
  /** True when this address must get no more mail (SUP-6). */
  suppress: boolean
  /** The pause that the reply asked for, in milliseconds. */
  retryAfterMs: number | null
  /** The route continues at a relay; absent: a deferred delivery is retried as before. */
  next?: 'relay'
}

/** The key of one recipient of one email. */
export interface DeliveryKey {
  teamId: string
  emailId: string
  /** 0-149, the recipient's position in the email. */
  no: number
}

export interface EmailTag {
  name: string
  value: string
}

/** One due recipient, leased to this process. */
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
  /** Whether its class is bulk. Bulk mail waits for the team's transactional mail. */
  isBulk: boolean
  /** Size of the message without its signatures. */
  sizeBytes: number
  /** Milliseconds since the epoch; extended while this process reports that it is at work. */
  leasedUntilMs: number
  /** When its address was last checked against the suppression list, in milliseconds since the epoch. */
  checkedAtMs: number
  /** Shared by all recipients of the email. Null when it is so large that it is loaded only for sending. */
  message: LoadedMessage | null
  /** The email's tags. Null: not loaded, because no rule needs tags. */
  tags: readonly EmailTag[] | null
}

/** The finished bytes of an email without its DKIM-Signature fields. */
export interface LoadedMessage {
  bytes: Buffer
  smtpUtf8: boolean
  /** The bytes need no dot-stuffing and no other line ends. Absent: not known. */
  isWireReady?: boolean
  /** It was encoded for a server without 8BITMIME, and differs from the stored message. */
  sevenBit?: true
  /** The forms in which it was signed. Absent: none yet. */
  signedAs?: Set<SignatureForm>
}

/** One line of an SMTP transcript as stored: never content, never secrets. */
export interface TranscriptLine {
  /** Milliseconds since the attempt began. */
  at: number
  /** `C` client, `S` server, `*` a note (connecting, TLS, bytes sent). */
  who: 'C' | 'S' | '*'
  text: string
}

/** A finished attempt, ready to be settled. */
export interface DeliveryResult {
  delivery: DueDelivery
  verdict: Verdict
  startedAt: Date
  durationMs: number
  smtpCode: number | null
  /** RFC 3463, for example `5.1.1`. */
  enhancedCode: string | null
  /** The server's reply, at most 1 KB, control characters escaped. */
  response: string | null
  mxHost: string | null
  mxAddress: string | null
  /** The local address of the connection. Absent if there was none. */
  sourceAddress?: string | null
  /**
   * For example `TLSv1.3 TLS_AES_256_GCM_SHA384 mta-sts`, or `none (...)` with the reason; docs/deliverability.md lists
   * all forms.
   */
  tls: string | null
  /** The form of the signature. Absent: nothing was signed. */
  signedAs?: SignatureForm | null
  transcript: TranscriptLine[]
}
