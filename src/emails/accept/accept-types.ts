import type { Db } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import type { Encoding } from '../../mime/encoding.ts'
import type { DueDelivery, LoadedMessage } from '../../queue/types.ts'
import type { AttachmentRecord } from '../emails-queries.ts'
import type { RememberedAnswer } from '../idempotency/idempotency-queries.ts'
import type { Recipient } from './draft-email.ts'
import type { UsedTemplate } from './fill-from-template.ts'
import type { UnsubscribeScope } from './unsubscribe-scope.ts'

/** The submitter of an email. */
export interface Submitter {
  teamId: string
  /** Set: may send from this domain only. */
  domainId: string | null
}

/** One email, validated and built, that waits for its commit. */
export interface Submission {
  emailId: string
  /** Without angle brackets. */
  messageId: string
  createdAt: Date
  from: Mailbox
  /** What must be a verified domain of the team, and the field that names it; the first one is the email's domain. */
  senderDomains: readonly SenderDomain[]
  recipients: readonly Recipient[]
  /** As given, for reading back. */
  addressees: Addressees
  subject: string
  headers: [string, string][]
  tags: { name: string; value: string }[]
  scheduledAt: Date | null
  message: LoadedMessage
  stored: { encoding: Encoding; bytes: Buffer }
  attachments: AttachmentRecord[]
  /** What it was made from. */
  template: UsedTemplate | null
  /** What its one recipient can unsubscribe from. */
  unsubscribe: UnsubscribeScope | null
}

export interface SenderDomain {
  /** A-label in lower case. */
  name: string
  field: string
}

/** What one request submits: an email, or a batch of them, committed together. */
export interface AcceptRequest {
  submissions: readonly Submission[]
  submitter: Submitter
  /** One key for the whole request. */
  idempotency: { key: string; requestHash: Buffer } | null
  /** Null: the request is one email. */
  batch: {
    /** All or nothing; otherwise those that nothing speaks against are accepted. */
    isWhole: boolean
    /** Where each submission stood in the request. */
    indexes: readonly number[]
    /** What was refused before it came here. */
    refused: Acceptance['refused']
  } | null
}

/** The ids of what was accepted, in order; those of an earlier request when the idempotency key was that one's. */
export type Acceptance = RememberedAnswer

/** Delivery in the same process: takes accepted recipients from memory, without a claim. */
export interface HandOff {
  /** Reserves room for one recipient; false: leave it to the claim. */
  reserve(teamId: string, domain: string, bytes: number): boolean
  /** Gives reserved room back: the commit failed. */
  forgo(teamId: string, domain: string, bytes: number): void
  /** The commit is done: deliver them. They are leased to this process. */
  start(deliveries: DueDelivery[]): void
}

export interface AcceptDeps {
  db: Db
  clock: Clock
  /** Finds suppressions of people who were erased. */
  hashAddress: HashAddress
  nodeId: string
  messageLifetimeMs: number
  handOff: HandOff | null
  /** Recipients were left to the claim: workers may look. */
  wake(): void
}

/** What the transaction of a batch needs. */
export interface BatchDeps extends AcceptDeps {
  /** `team/month` of the usage rows that are known to exist. */
  seenUsageRows: Set<string>
}
