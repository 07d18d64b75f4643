import type { Db, Tx } from '../../db/db-types.ts'
import type { Addressees } from '../../events/email-facts-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Mailbox } from '../../mime/address.ts'
import type { Encoding } from '../../mime/encoding.ts'
import type { DeliveryKey, DueDelivery, LoadedMessage } from '../../queue/types.ts'
import type { RememberedAnswer } from '../idempotency/idempotency-queries.ts'
import type { UnsubscribeScope } from '../request/unsubscribe-scope.ts'
import type { AttachmentRecord } from '../rows/emails-queries.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import type { UsedTemplate } from './fill-from-template.ts'
import type { OwnMessageId } from './message-ids.ts'
import type { RefusalCode } from './refusal.ts'

export interface Submitter {
  teamId: string
  /** The only domain that the submitter may send from; null for any. */
  domainId: string | null
  /** The API key of the submitter; null for a user, the command line, or Sendwright itself. */
  keyId: string | null
}

/** One validated and built email that waits for its commit. */
export interface Submission {
  emailId: string
  /** Without angle brackets. */
  messageId: string
  /** Set if its request gave the Message-ID. Then no other email of the team may have it. */
  ownMessageId: OwnMessageId | null
  createdAt: Date
  from: Mailbox
  /** Domains that must be verified for the team, with the field that names each. The first is the email's domain. */
  senderDomains: readonly SenderDomain[]
  recipients: readonly Recipient[]
  /** The addresses as given, for reads. */
  addressees: Addressees
  subject: string
  headers: [string, string][]
  tags: { name: string; value: string }[]
  scheduledAt: Date | null
  message: LoadedMessage
  stored: { encoding: Encoding; bytes: Buffer }
  attachments: AttachmentRecord[]
  /** The template that the email was built from. */
  template: UsedTemplate | null
  /** The list or topic that the one recipient can unsubscribe from. */
  unsubscribe: UnsubscribeScope | null
  /** Whether its class is bulk. Bulk mail waits for the team's transactional mail. */
  isBulk: boolean
}

export interface SenderDomain {
  /** A-label in lower case. */
  name: string
  field: string
}

/** Returns whether a request contains only bulk mail. */
export function isBulkOnly({ submissions }: Pick<AcceptRequest, 'submissions'>): boolean {
  return submissions.every(({ isBulk }) => isBulk)
}

/**
 * What emails are sent on behalf of, such as a campaign. Each of its emails is accepted in the transaction that records this, so
 * that none is accepted twice, whatever happens to the process.
 */
export interface Origin {
  /** Locks what the emails stand for. Returns the ids of those that may be accepted now. */
  lock(tx: Tx, emailIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Records the accepted emails. */
  record(tx: Tx, emailIds: readonly string[], now: Date): Promise<void>
}

/** The submissions of one request, committed together: one email or a batch. */
export interface AcceptRequest {
  submissions: readonly Submission[]
  submitter: Submitter
  /** One key for the whole request. */
  idempotency: { key: string; requestHash: Buffer } | null
  /** Null if the request is one email. */
  batch: {
    /** Accepts all or nothing. Otherwise, every email that passes validation is accepted. */
    isWhole: boolean
    /** The position of each submission in the request. */
    indexes: readonly number[]
    /** Emails that were rejected earlier, while they were prepared. */
    refused: AcceptAnswer['refused']
  } | null
  /** Absent: a request of the application. Recipients that get no mail are then recorded as suppressed, otherwise refused. */
  origin?: Origin
}

/**
 * The answer to a request: the ids of the accepted emails, in order, and the emails that were refused. A
 * repeated idempotency key gets the answer of the earlier request.
 */
export interface AcceptAnswer extends RememberedAnswer {
  refused: RefusedEmail[]
}

/** An email that was refused. Only the index and the message are part of an answer to a client. */
export interface RefusedEmail {
  index: number
  message: string
  code?: RefusalCode
}

/** Hands accepted recipients to delivery in the same process, from memory and without a claim. */
export interface HandOff {
  /**
   * Called before the commit of transactional mail that is due. Returns a promise to wait for if this process is busy with
   * deliveries and the team has many of them, for about a second at most; null if the mail may be committed now.
   */
  waitForTurn(teamId: string, recipientCount: number, bytes: number): Promise<void> | null
  /** Reserves room for one recipient. Returns false if the recipient must be left to the claim. */
  reserve(teamId: string, domain: string, bytes: number, isBulk: boolean): boolean
  /** Releases reserved room after a failed commit. */
  cancelReservation(teamId: string, bytes: number, isBulk: boolean): void
  /** Notes a recipient whose commit had no response. If it took effect, any process may claim the recipient soon. */
  lose(delivery: DeliveryKey): void
  /** Prepares the delivery of a recipient whose commit is under way, if the process is idle. May be called in vain. */
  prepare(delivery: DueDelivery): void
  /** Starts the delivery of committed recipients, which are leased to this process. */
  start(deliveries: DueDelivery[]): void
}

export interface AcceptDeps {
  db: Db
  clock: Clock
  /** Hashes an address, to find the suppressions of erased people. */
  hashAddress: HashAddress
  nodeId: string
  messageLifetimeMs: number
  handOff: HandOff | null
  /** Wakes workers to claim the remaining recipients. */
  wake(): void
}

/** The dependencies of a batch's transaction. */
export interface BatchDeps extends AcceptDeps {
  /** `team/month` of the usage rows known to exist. */
  seenUsageRows: Set<string>
  /** The teams of which something holds a lock, so that their requests share no commit with those of others. */
  lockedTeams: Set<string>
}
