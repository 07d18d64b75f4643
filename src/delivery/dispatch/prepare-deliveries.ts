import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db.ts'
import { loadLargeMessage, loadMessages } from '../../emails/messages-queries.ts'
import { findTags } from '../../emails/read/email-tags-queries.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { decodeMessage } from '../../mime/encoding.ts'
import type { DueDelivery, EmailTag, LoadedMessage } from '../../queue/types.ts'

/** Larger contents are not loaded with their batch: two hundred of the largest would take 7.5 GB. */
const LOADED_AHEAD_BYTES_MAX = 256 * 1024

/**
 * Prepares claimed deliveries: loads each email's content once for all its recipients (unless it is large), and finds
 * recipients suppressed since acceptance. A content that cannot be read is skipped: it is loaded again in its turn, and
 * fails alone.
 * @param withTags whether any rule matches on the emails' tags
 */
export async function prepareDeliveries(
  db: Db,
  hashAddress: HashAddress,
  deliveries: readonly DueDelivery[],
  withTags: boolean,
): Promise<{ suppressed: Set<DueDelivery> }> {
  const small = deliveries.filter(({ sizeBytes }) => sizeBytes <= LOADED_AHEAD_BYTES_MAX)
  const emails = new Map(small.map((delivery) => [delivery.emailId, delivery]))
  const [stored, suppressed] = await Promise.all([
    loadMessages(db, [...emails.values()]),
    findSuppressed(db, hashAddress, deliveries),
    withTags ? readTags(db, deliveries) : null,
  ])
  const messages = new Map<string, LoadedMessage>()
  for (const row of stored) {
    const bytes = await decodeMessage(row.encoding, row.message).catch(() => null)
    if (bytes !== null) messages.set(row.emailId, { bytes, smtpUtf8: row.smtpUtf8 })
  }
  for (const delivery of deliveries) delivery.message = messages.get(delivery.emailId) ?? null
  return { suppressed }
}

/** Loads the content of one delivery that was too large to load with its batch. */
export async function loadOne(db: Db, delivery: DueDelivery): Promise<LoadedMessage> {
  const row = await loadLargeMessage(db, delivery)
  if (row === undefined) throw new Error(`Email ${delivery.emailId} has no content.`)
  return { bytes: await decodeMessage(row.encoding, row.message), smtpUtf8: row.smtpUtf8 }
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

/**
 * Finds deliveries to addresses that are now on their team's suppression list or have unsubscribed from the email's
 * topic or list, also where only the hash of the address is stored; and those to people whose data is being erased.
 */
export async function findSuppressed(
  db: Db,
  hashAddress: HashAddress,
  deliveries: readonly DueDelivery[],
): Promise<Set<DueDelivery>> {
  const rows = await db.query<{ position: number }>(
    `select k.position::int4 as position
     from unnest($1::uuid[], $2::text[]) with ordinality as k (team_id, email, position)
     join suppression s on s.team_id = k.team_id and s.email = k.email
     union
     select k.position::int4
     from unnest($1::uuid[], $4::text[]) with ordinality as k (team_id, hash, position)
     join suppression s on s.team_id = k.team_id and s.email = k.hash
     union
     select k.position::int4
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join erasure e on e.team_id = k.team_id and e.address = k.email and e.id > k.email_id
     union
     select k.position::int4
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as k (team_id, email, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.email
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope
     union
     select k.position::int4
     from unnest($1::uuid[], $4::text[], $3::uuid[]) with ordinality as k (team_id, hash, email_id, position)
     join unsubscription u on u.team_id = k.team_id and u.email = k.hash
     join email_content c on c.team_id = k.team_id and c.email_id = k.email_id and c.unsubscribe_scope = u.scope`,
    [
      arrays.uuid(deliveries.map((delivery) => delivery.teamId)),
      arrays.text(deliveries.map((delivery) => delivery.addressKey)),
      arrays.uuid(deliveries.map((delivery) => delivery.emailId)),
      arrays.text(deliveries.map(({ teamId, addressKey }) => hashAddress(teamId, addressKey))),
    ],
  )
  return new Set(rows.map((row) => deliveries[row.position - 1] as DueDelivery))
}
