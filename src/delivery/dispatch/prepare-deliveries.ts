import { DatabaseUnavailable, type Db } from '../../db/db-types.ts'
import { findTags } from '../../emails/read/email-tags-queries.ts'
import { loadLargeMessage, loadMessages, type StoredMessage } from '../../emails/rows/messages-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { decodeMessage } from '../../mime/encoding.ts'
import type { DueDelivery, EmailTag, LoadedMessage } from '../../queue/types.ts'
import type { Withdrawal } from '../sites/outcomes.ts'
import { findWithdrawn } from './withdrawn-queries.ts'

/** Larger contents are not loaded with their batch: two hundred of the largest would take 7.5 GB. */
const LOADED_AHEAD_BYTES_MAX = 256 * 1024

/**
 * Prepares claimed deliveries: loads each email's content once for all its recipients (unless it is large), and finds
 * deliveries that must not be attempted any more. Skips content that cannot be read or decoded: each delivery loads it again
 * on its own, and fails without affecting others.
 * @param withTags whether any rule matches on the emails' tags
 */
export async function prepareDeliveries(
  db: Db,
  hashAddress: HashAddress,
  deliveries: readonly DueDelivery[],
  withTags: boolean,
): Promise<{ withdrawn: Map<DueDelivery, Withdrawal> }> {
  const small = deliveries.filter(({ sizeBytes }) => sizeBytes <= LOADED_AHEAD_BYTES_MAX)
  const emails = new Map(small.map((delivery) => [delivery.emailId, delivery]))
  const [rows, withdrawn] = await Promise.all([
    loadReadable(db, [...emails.values()]),
    findWithdrawn(db, hashAddress, deliveries),
    withTags ? readTags(db, deliveries) : null,
  ])
  const messages = new Map<string, LoadedMessage>()
  for (const row of rows) {
    const bytes = await decodeMessage(row.encoding, row.message).catch(() => null)
    if (bytes !== null) messages.set(row.emailId, toLoaded(row, bytes))
  }
  for (const delivery of deliveries) delivery.message = messages.get(delivery.emailId) ?? null
  return { withdrawn }
}

/** Returns the contents of these deliveries without those that the database cannot read, because its files are damaged. */
async function loadReadable(db: Db, deliveries: readonly DueDelivery[]): Promise<StoredMessage[]> {
  try {
    return await loadMessages(db, deliveries)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
  }
  if (deliveries.length <= 1) return []
  // The error does not say which one it is.
  const half = Math.ceil(deliveries.length / 2)
  const first = await loadReadable(db, deliveries.slice(0, half))
  return [...first, ...(await loadReadable(db, deliveries.slice(half)))]
}

/** Loads the content of one delivery that was too large to load with its batch. */
export async function loadOne(db: Db, delivery: DueDelivery): Promise<LoadedMessage> {
  const row = await loadLargeMessage(db, delivery)
  if (row === undefined) throw new Error(`Email ${delivery.emailId} has no content.`)
  return toLoaded(row, await decodeMessage(row.encoding, row.message))
}

function toLoaded(
  { smtpUtf8, signedAs }: Pick<StoredMessage, 'smtpUtf8' | 'signedAs'>,
  bytes: Buffer,
): LoadedMessage {
  return { bytes, smtpUtf8, ...(signedAs !== null && { signedAs: new Set(signedAs) }) }
}

/** Loads the tags of one delivery's email when its batch did not load them. */
export async function loadTags(db: Db, { teamId, emailId }: DueDelivery): Promise<readonly EmailTag[]> {
  return (await findTags(db, [{ teamId, emailId }])).get(emailId) ?? []
}

async function readTags(db: Db, deliveries: readonly DueDelivery[]): Promise<void> {
  const emails = new Map(deliveries.map((delivery) => [delivery.emailId, delivery]))
  const tags = await findTags(db, [...emails.values()])
  for (const delivery of deliveries) delivery.tags = tags.get(delivery.emailId) ?? []
}
