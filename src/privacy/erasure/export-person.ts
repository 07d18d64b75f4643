import { type Contact, findContact, findContactIdByEmail } from '../../audience/contacts/contacts-queries.ts'
import { listUnsubscriptions } from '../../audience/unsubscribes/unsubscriptions-queries.ts'
import { listRunsOfContact } from '../../automations/rows/runs-of-person-queries.ts'
import type { Queryable } from '../../db/db-types.ts'
import { workOnContent } from '../../emails/content/heavy-content.ts'
import { findEmailDetail } from '../../emails/read/read-emails-queries.ts'
import { loadBody } from '../../emails/read/require-email.ts'
import { groupHeaders } from '../../emails/request/read-headers.ts'
import type { ReadPackedBody } from '../../emails/rows/packed-queries.ts'
import { describeOwnData } from '../../events/own-data.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { classOf } from '../../queue/mail-class.ts'
import { findSuppressions } from '../../suppressions/suppressions-queries.ts'
import { listEmailsFrom } from './erase-emails-queries.ts'
import { listEventsOf, pageEventsWith, type TracedEvent } from './erase-traces-queries.ts'
import { listPersonAttempts, listPersonEmails, type PersonEmail } from './person-emails-queries.ts'

export interface ExportDeps {
  db: Queryable
  readBody: ReadPackedBody
  hashAddress: HashAddress
  /** Reads a message of this size as soon as memory is available. */
  inTurn<T>(sizeBytes: number, read: () => Promise<T>): Promise<T>
}

/** The limits on what is in memory at once, besides the current message. */
const PAGE_ROWS = 50
const EVENTS_PAGE = 500
const SENT_PAGE = 500
const UNSUBSCRIPTIONS_MAX = 1_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Yields all data that a team has about one address, as the text of one JSON object. Pages are read as fast as the
 * caller consumes them. For emails to several recipients, the export contains only what all of them could see.
 * @param address in normalized form
 */
export async function* exportPerson(
  deps: ExportDeps,
  teamId: string,
  address: string,
  now: Date,
): AsyncGenerator<string> {
  const { db } = deps
  const head = {
    object: 'person_export',
    email: address,
    exported_at: formatTime(now),
    ...(await readContactAndOptOuts(deps, teamId, address)),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"emails":[`
  yield* joined(personEmails(deps, teamId, address))
  yield '],"sent_emails":['
  yield* joined(sentEmails(db, teamId, address))
  yield '],"automation_runs":['
  if (head.contact !== null) yield* joined(ownRuns(db, teamId, head.contact.id))
  yield '],"events":['
  yield* joined(ownEvents(db, teamId, address))
  yield ']}\n'
}

/** Yields the elements of an array. */
async function* joined(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = ''
  for await (const value of values) {
    yield `${separator}\n${JSON.stringify(value)}`
    separator = ','
  }
}

async function readContactAndOptOuts({ db, hashAddress }: ExportDeps, teamId: string, address: string) {
  const writings = [address, hashAddress(teamId, address)]
  const contactId = await findContactIdByEmail(db, teamId, address)
  const contact = contactId === null ? null : await findContact(db, teamId, contactId)
  const entries = await findSuppressions(
    db,
    writings.map((email) => ({ teamId, email })),
  )
  const range = { size: UNSUBSCRIPTIONS_MAX, offset: 0, after: null, before: null }
  const { rows } = await listUnsubscriptions(db, teamId, writings, range)
  return {
    contact: contact === null ? null : contactToJson(contact),
    suppressions: entries.map(({ id, reason, createdAt }) => ({
      id,
      reason,
      created_at: formatTime(createdAt),
    })),
    unsubscriptions: rows.map(({ id, scope, source, createdAt }) => ({
      id,
      scope,
      source,
      created_at: formatTime(createdAt),
    })),
  }
}

function contactToJson(contact: Contact) {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    user_id: contact.userId,
    time_zone: contact.timeZone,
    unsubscribed: contact.unsubscribed,
    properties: Object.fromEntries(
      contact.properties.map(({ key, value }) => [key, value instanceof Date ? formatTime(value) : value]),
    ),
    lists: contact.lists.map(({ id, name }) => ({ id, name })),
    created_at: formatTime(contact.createdAt),
    updated_at: formatTime(contact.updatedAt),
  }
}

async function* personEmails(deps: ExportDeps, teamId: string, address: string): AsyncGenerator<unknown> {
  let after = FIRST_ID
  for (;;) {
    const rows = await listPersonEmails(deps.db, teamId, address, after, PAGE_ROWS)
    const page = rows.filter((row) => row.messageId !== null)
    const keys = page.map(({ id, no }) => ({ emailId: id, no }))
    const attempts = await listPersonAttempts(deps.db, teamId, keys)
    const ids = page.map(({ id }) => id)
    const events = Map.groupBy(await listEventsOf(deps.db, teamId, ids), ({ subjectId }) => subjectId)
    for (const email of page) {
      yield {
        ...emailToJson(email, address),
        attempts: attempts
          .filter(({ emailId, no }) => emailId === email.id && no === email.no)
          .map(attemptToJson),
        events: pickEvents(events.get(email.id) ?? [], email),
        ...(await readContent(deps, teamId, email)),
      }
    }
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.id ?? after
  }
}

function attemptToJson({
  startedAt,
  outcome,
  category,
  smtpCode,
  response,
}: Awaited<ReturnType<typeof listPersonAttempts>>[number]) {
  return { started_at: formatTime(startedAt), outcome, category, smtp_code: smtpCode, response }
}

/** Returns an email as the person could see it: of blind copies, only the person's own. */
function emailToJson(email: PersonEmail, address: string) {
  return {
    id: email.id,
    message_id: `<${email.messageId}>`,
    from: email.sender,
    to: email.addressees.to,
    cc: email.addressees.cc,
    bcc: email.kind === 'bcc' ? [address] : [],
    subject: email.subject,
    tags: email.tags ?? [],
    status: email.status,
    class: classOf(email.isBulk),
    category: email.category,
    smtp_code: email.smtpCode,
    response: email.response,
    mx_host: email.mxHost,
    scheduled_at: formatTime(email.scheduledAt),
    created_at: formatTime(email.createdAt),
    updated_at: formatTime(email.updatedAt),
  }
}

/**
 * Returns the events about the person or about all recipients. Opens and clicks of an email with several recipients name none
 * (null): the origin of such a visit may be somebody else's.
 */
function pickEvents(events: readonly TracedEvent[], { recipient }: PersonEmail) {
  return events
    .filter(({ data }) => data.recipient === undefined || data.recipient === recipient)
    .map(eventToJson)
}

function eventToJson({ id, type, data, createdAt }: TracedEvent) {
  return { id, type, created_at: formatTime(createdAt), data: describeOwnData(type, data, createdAt) }
}

/** Returns the content; empty if it is no longer stored. */
async function readContent(
  { db, readBody, inTurn }: ExportDeps,
  teamId: string,
  { id, sizeBytes }: PersonEmail,
) {
  return inTurn(sizeBytes, async () => {
    const detail = await findEmailDetail(db, teamId, id, sizeBytes)
    if (detail === null) return { html: null, text: null, headers: {}, attachments: [] }
    const { headers, attachments } = detail
    const { encoding, message } = await loadBody(readBody, detail)
    const job = { stored: { encoding, message }, untracking: null }
    const { html, text } = await workOnContent('texts', { teamId, sizeBytes }, job)
    return { html, text, headers: groupHeaders(headers), attachments }
  })
}

/** Yields only ids, because the content was written to others. */
async function* sentEmails(db: Queryable, teamId: string, address: string): AsyncGenerator<unknown> {
  let after = FIRST_ID
  for (;;) {
    const page = await listEmailsFrom(db, teamId, address, { after, before: LAST_ID }, SENT_PAGE)
    for (const id of page) yield { id }
    if (page.length < SENT_PAGE) return
    after = page.at(-1) ?? after
  }
}

/** Yields the runs of automations of the person's contact. */
async function* ownRuns(db: Queryable, teamId: string, contactId: string): AsyncGenerator<unknown> {
  let after = FIRST_ID
  for (;;) {
    const page = await listRunsOfContact(db, teamId, contactId, after, EVENTS_PAGE)
    for (const { automationName: automation, startedAt, endedAt, ...run } of page) {
      yield { ...run, automation, started_at: formatTime(startedAt), ended_at: formatTime(endedAt) }
    }
    if (page.length < EVENTS_PAGE) return
    after = page.at(-1)?.id ?? after
  }
}

/** Yields the events of the person's contact and suppression. */
async function* ownEvents(db: Queryable, teamId: string, address: string): AsyncGenerator<unknown> {
  let after = FIRST_ID
  for (;;) {
    const page = await pageEventsWith(db, teamId, address, after, EVENTS_PAGE)
    for (const event of page) yield eventToJson(event)
    if (page.length < EVENTS_PAGE) return
    after = page.at(-1)?.id ?? after
  }
}
