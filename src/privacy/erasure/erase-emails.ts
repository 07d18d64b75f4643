import { setImmediate as nextTurn } from 'node:timers/promises'
import { simulatedOutcome } from '../../classification/simulator.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { deriveEmailStates } from '../../emails/rows/email-states-queries.ts'
import { recordEvents } from '../../events/record-queries.ts'
import { ERASED_DOMAIN } from '../../lib/crypto/erased-address.ts'
import { eraseLinks } from '../../metrics/campaigns/link-counts-queries.ts'
import { visitorOf } from '../../metrics/counting/count-events.ts'
import { giveBackUsage } from '../../teams/usage-queries.ts'
import {
  type Between,
  cancelDeliveries,
  deleteContents,
  deleteVisits,
  eraseDeliveries,
  findNamingTexts,
  findOpenEmails,
  listEmailsFrom,
  listNamedEmails,
  lockDeliveriesTo,
  type NamedEmail,
  type PersonDelivery,
  saveErasedEmails,
  saveNamingTexts,
} from './erase-emails-queries.ts'
import { changeEvents } from './erase-event.ts'
import { type EventPlace, pageEventsOfAll, saveEventData } from './erase-traces-queries.ts'
import { extendErasure, insertWaitingContents, type OpenErasure } from './erasures-queries.ts'
import type { Person } from './person.ts'

/** The deliveries of one transaction: few enough that its locks delay no other transaction. */
const DELIVERIES_MAX = 100
/** The events of one turn of the event loop. */
const EVENTS_MAX = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface EmailsPlace {
  /** The last processed email; null at the end. */
  after: string | null
  /** The number of deliveries that a process has leased. They must end first. */
  busyCount: number
}

export interface Holder {
  nodeId: string
  until: Date
  now: Date
}

/** Thrown if another process has taken over the erasure. */
export class ErasureLost extends Error {}

/**
 * Erases the next emails to the person in one transaction: cancels deliveries that are not leased, then removes the
 * address and the content of each email. Skips leased deliveries.
 */
export async function eraseEmailsTo(
  db: Db,
  job: OpenErasure,
  person: Person,
  after: string,
  holder: Holder,
): Promise<EmailsPlace> {
  return runAgainOnDeadlock(db, async (tx) => {
    const between: Between = { after, before: job.id }
    const deliveries = await lockDeliveriesTo(tx, job.teamId, person.address, between, DELIVERIES_MAX)
    const idle = deliveries.filter(({ isLeased }) => !isLeased)
    await cancelLocked(tx, job.teamId, person, idle, holder.now)
    await eraseDeliveries(tx, job.teamId, idle, person.pseudonym)
    await eraseLinks(tx, job.teamId, unique(idle))
    await eraseEmails(tx, job, person, unique(idle))
    await deleteVisits(
      tx,
      job.teamId,
      idle.map(({ emailId, address }) => ({ emailId, visitor: visitorOf(address) })),
    )
    await storeHold(tx, job, holder, unique(idle).length)
    const isAll = deliveries.length < DELIVERIES_MAX
    return {
      after: isAll ? null : (deliveries.at(-1)?.emailId ?? null),
      busyCount: deliveries.length - idle.length,
    }
  })
}

/**
 * Erases the next emails from the person in the same way, but cancels nothing, because other recipients are to
 * receive them.
 */
export async function eraseEmailsFrom(
  db: Db,
  job: OpenErasure,
  person: Person,
  after: string,
  holder: Holder,
): Promise<EmailsPlace> {
  return runAgainOnDeadlock(db, async (tx) => {
    const between: Between = { after, before: job.id }
    const ids = await listEmailsFrom(tx, job.teamId, person.address, between, DELIVERIES_MAX)
    await eraseEmails(tx, job, person, ids)
    await storeHold(tx, job, holder, ids.length)
    return { after: ids.length < DELIVERIES_MAX ? null : (ids.at(-1) ?? null), busyCount: 0 }
  })
}

/** Extends the lease and adds to the count, in the transaction that does the work. */
export async function storeHold(tx: Tx, job: OpenErasure, holder: Holder, emails: number): Promise<void> {
  if (!(await extendErasure(tx, job, { ...holder, emails }))) throw new ErasureLost()
}

const unique = (rows: readonly PersonDelivery[]) => [...new Set(rows.map(({ emailId }) => emailId))]

/**
 * Cancels open deliveries. Locks deliveries before their emails, like every other operation: the other order would
 * deadlock.
 */
export async function cancelLocked(
  tx: Tx,
  teamId: string,
  { pseudonym }: Pick<Person, 'pseudonym'>,
  rows: readonly PersonDelivery[],
  now: Date,
): Promise<void> {
  const open = rows.filter(({ isOpen }) => isOpen)
  if (open.length === 0) return
  await cancelDeliveries(tx, teamId, open, now)
  const ids = unique(open)
  await deriveEmailStates(
    tx,
    ids.map((emailId) => ({ teamId, emailId, lastEvent: 'canceled', sentAt: null })),
  )
  const emails = new Map((await listNamedEmails(tx, teamId, ids)).map((email) => [email.id, email]))
  for (const { emailId, status, address } of open) {
    const acceptedAt = emails.get(emailId)?.createdAt
    // As after a cancellation by the sender: scheduled emails do not count as sent.
    if (status !== 'scheduled' || acceptedAt === undefined || simulatedOutcome(address) !== null) continue
    await giveBackUsage(tx, teamId, 1, acceptedAt, now)
  }
  recordEvents(
    tx,
    open.map(({ emailId }) => ({
      teamId,
      subjectId: emailId,
      type: 'email.canceled' as const,
      data: { recipient: pseudonym },
    })),
    now,
  )
}

/**
 * Removes the person from the other data of emails. Their content is deleted now, or once all recipients have
 * received it.
 */
async function eraseEmails(tx: Tx, job: OpenErasure, person: Person, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { teamId } = job
  const emails = await listNamedEmails(tx, teamId, ids)
  await saveErasedEmails(
    tx,
    teamId,
    emails.map((email) => eraseNames(email, person)),
  )
  const texts = await findNamingTexts(tx, teamId, ids, person.likes)
  await saveNamingTexts(tx, teamId, {
    deliveries: texts.deliveries.map((row) => ({ ...row, response: person.scrub(row.response) })),
    attempts: texts.attempts.map((row) => ({
      ...row,
      response: row.response === null ? null : person.scrub(row.response),
      transcript: person.scrub(row.transcript),
    })),
  })
  await eraseEvents(tx, teamId, ids, person)
  const open = await findOpenEmails(tx, teamId, ids)
  await insertWaitingContents(tx, job, open)
  await deleteContents(
    tx,
    teamId,
    ids.filter((id) => !open.includes(id)),
  )
}

/** Erases all events of the emails. A batch of emails to many people has tens of thousands, too many for one turn. */
async function eraseEvents(tx: Tx, teamId: string, ids: readonly string[], person: Person): Promise<void> {
  let after: EventPlace = { subjectId: FIRST_ID, id: FIRST_ID }
  for (;;) {
    const page = await pageEventsOfAll(tx, teamId, ids, after, EVENTS_MAX)
    await saveEventData(tx, teamId, changeEvents(page, person))
    const last = page.at(-1)
    if (last === undefined || page.length < EVENTS_MAX) return
    after = last
    await nextTurn()
  }
}

function eraseNames(email: NamedEmail, person: Person): NamedEmail {
  const erase = (mailbox: string) => (person.owns(mailbox) ? person.pseudonym : person.scrub(mailbox))
  const { to, cc, bcc, reply_to: replyTo } = email.addressees
  return {
    ...email,
    // The author of a message chooses its Message-ID, so one that names the person in any way is replaced completely.
    messageId: person.isIn(email.messageId) ? `${email.id}@${ERASED_DOMAIN}` : email.messageId,
    sender: erase(email.sender),
    senderAddress: erase(email.senderAddress),
    addressees: {
      to: to.map(erase),
      cc: cc.map(erase),
      bcc: bcc.map(erase),
      reply_to: replyTo.map(erase),
    },
  }
}
