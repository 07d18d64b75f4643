import { deleteContactRows, listDeletedContacts } from '../../audience/contacts/erase-contacts-queries.ts'
import { deleteRunsOfContacts } from '../../automations/rows/runs-of-person-queries.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { renameCountedSender } from '../../metrics/counting/metric-counts-queries.ts'
import { type Holder, storeHold } from './erase-emails.ts'
import { changeEvents } from './erase-event.ts'
import {
  findNamingGraphVersions,
  lockNamingGraphs,
  saveGraph,
  saveGraphVersion,
} from './erase-graphs-queries.ts'
import {
  type AnswerPlace,
  deleteImportCells,
  eraseAnswers,
  findNamingPauses,
  findNamingSegments,
  findNamingVersions,
  pageEventsOf,
  pageEventsWith,
  pageFeed,
  saveEventData,
  savePauseReason,
  saveSegmentFilters,
  saveVersionAudience,
  type TracedEvent,
} from './erase-traces-queries.ts'
import type { OpenErasure } from './erasures-queries.ts'
import type { Person } from './person.ts'

const EVENTS_MAX = 500
const ANSWERS_MAX = 2_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the lease for the next batch, with a new expiry. */
type Hold = () => Holder

/** Deletes the rows of the person's deleted contacts and of their runs, and erases their events. */
export async function eraseContacts(db: Db, job: OpenErasure, person: Person, hold: Hold): Promise<void> {
  const { teamId } = job
  const ids = (await listDeletedContacts(db, teamId, person.address)).filter((id) => id < job.id)
  for (const id of ids) {
    await eachPage((after) => pageEventsOf(db, teamId, id, after, EVENTS_MAX), write(db, job, person, hold))
  }
  await db.transaction(async (tx) => {
    await deleteRunsOfContacts(tx, teamId, ids)
    await deleteContactRows(tx, teamId, ids)
    await storeHold(tx, job, hold(), 0)
  })
}

/** Erases events of deleted contacts and suppressions that contain the address themselves. */
export async function eraseNamingEvents(db: Db, job: OpenErasure, person: Person, hold: Hold): Promise<void> {
  await eachPage(
    (after) => pageEventsWith(db, job.teamId, person.address, after, EVENTS_MAX),
    write(db, job, person, hold),
  )
}

/** Erases events that were written during the erasure by processes that had read the address before. */
export async function eraseLateEvents(db: Db, job: OpenErasure, person: Person, hold: Hold): Promise<void> {
  let position = job.feedPosition
  for (;;) {
    const page = await pageFeed(db, job.teamId, position, EVENTS_MAX)
    const naming = page.filter(({ data }) => scrubChanged([data], person).length > 0)
    // Also extends the lease: a feed may take longer than that, although few of its events name the person.
    await write(db, job, person, hold)(naming)
    if (page.length < EVENTS_MAX) return
    position = page.at(-1)?.position ?? position
  }
}

/** Returns the JSON values that change without the person, without them. The others can stay as they are stored. */
function scrubChanged<T>(values: readonly T[], person: Person): T[] {
  return values
    .map((value) => person.scrubAll(value))
    .filter((value, index) => JSON.stringify(value) !== JSON.stringify(values[index]))
}

/** Writes the erased events. Skips those that belong to another person. */
function write(db: Db, job: OpenErasure, person: Person, hold: Hold) {
  return async (events: readonly TracedEvent[]) => {
    const changed = changeEvents(
      events.filter((event) => isOlder(event, job.id)),
      person,
    )
    await db.transaction(async (tx) => {
      await saveEventData(tx, job.teamId, changed)
      await storeHold(tx, job, hold(), 0)
    })
  }
}

/**
 * Returns whether the subject of an event is older than the erasure, or the email that a suppression or unsubscription
 * is for: these are created when its bounce, complaint or click arrives.
 */
function isOlder({ subjectId, data }: TracedEvent, erasureId: string): boolean {
  const ids = [subjectId, data.source_email_id, data.email_id]
  return ids.some((id) => typeof id === 'string' && id < erasureId)
}

async function eachPage(
  read: (after: string) => Promise<TracedEvent[]>,
  work: (events: readonly TracedEvent[]) => Promise<void>,
): Promise<void> {
  let after = FIRST_ID
  for (;;) {
    const page = await read(after)
    if (page.length > 0) await work(page)
    if (page.length < EVENTS_MAX) return
    after = page.at(-1)?.id ?? after
  }
}

/** Deletes responses of webhook endpoints that name the person. */
export async function eraseNamingAnswers(
  db: Db,
  job: OpenErasure,
  person: Person,
  hold: Hold,
): Promise<void> {
  let place: AnswerPlace | null = { webhookId: FIRST_ID, id: FIRST_ID }
  while (place !== null) {
    const from: AnswerPlace = place
    place = await db.transaction(async (tx) => {
      await storeHold(tx, job, hold(), 0)
      return eraseAnswers(tx, job.teamId, from, person, ANSWERS_MAX)
    })
  }
}

/** Counts what the person sent under the pseudonym. */
export async function eraseCountedSender(db: Db, job: OpenErasure, person: Person): Promise<void> {
  const keys = { from: person.address, to: person.pseudonym }
  await runAgainOnDeadlock(db, (tx) => renameCountedSender(tx, job.teamId, keys))
}

/**
 * Erases the person from conditions of segments, also as of the start of campaigns, from automations and their versions, from
 * skipped rows of imports, and from replies for which sites are paused.
 */
export async function eraseSmallTexts(db: Db, job: OpenErasure, person: Person): Promise<void> {
  const { teamId } = job
  await runAgainOnDeadlock(db, async (tx) => {
    const segments = await findNamingSegments(tx, teamId, person.likes)
    for (const segment of scrubChanged(segments, person)) await saveSegmentFilters(tx, teamId, segment)
    const versions = await findNamingVersions(tx, teamId, person.likes)
    for (const version of scrubChanged(versions, person)) await saveVersionAudience(tx, teamId, version)
    await eraseGraphs(tx, teamId, person)
    await deleteImportCells(tx, teamId)
    for (const { name, reason } of await findNamingPauses(tx, person.likes)) {
      await savePauseReason(tx, { name, reason: person.scrub(reason) })
    }
  })
}

async function eraseGraphs(tx: Tx, teamId: string, person: Person): Promise<void> {
  const graphs = await lockNamingGraphs(tx, teamId, person.likes)
  for (const graph of scrubChanged(graphs, person)) await saveGraph(tx, teamId, graph)
  const versions = await findNamingGraphVersions(tx, teamId, person.likes)
  for (const version of scrubChanged(versions, person)) await saveGraphVersion(tx, teamId, version)
}
