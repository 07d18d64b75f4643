import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { givenDeliveries, statesOf } from '../../../test/support/deliveries.ts'
import { verdictOf } from '../../classification/classify.ts'
import { openDb } from '../../db/db.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { listenOn } from '../../db/listen.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { placeOfProcesses } from '../../lib/processes.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { Journal } from '../../queue/journal/journal.ts'
import type { JournalEntry } from '../../queue/journal/journal-format.ts'
import { findOpenDeliveries } from '../../queue/open-deliveries-queries.ts'
import type { DueDelivery } from '../../queue/types.ts'
import { type SettleDeps, settleReports } from './settle-deliveries.ts'
import { createLeftSettler } from './settle-left.ts'

let database: TestDatabase
let directory: string
const log = createLog('silent')
const OURS = {
  node: newId(),
  pid: process.pid,
  start: null,
  place: placeOfProcesses(),
  installation: 'this one',
}
/** No process has this id. */
const DEAD_PID = 2 ** 30

beforeAll(async () => {
  database = await createDatabase()
  directory = mkdtempSync(join(tmpdir(), 'sendwright-left-'))
})
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await database.drop()
})

const depsOf = (db = database.db): SettleDeps => ({
  db,
  clock: systemClock,
  log,
  nodeId: OURS.node,
  retryScheduleMs: [60_000],
  random: () => 0.5,
})

interface Row {
  teamId: string
  emailId: string
  status: string
  attempts: number
  ready: boolean
  leasedBy: string | null
  dueAt: Date | null
  response: string | null
}

const rowsOf = async (teamId: string) =>
  (await statesOf(database.db)).filter((row) => row.teamId === teamId) as unknown as Row[]

const attemptsOf = (teamId: string) =>
  database.db.query<{ attempt: number; response: string }>(
    'select attempt, response from attempt where team_id = $1 order by attempt',
    [teamId],
  )

const eventsOf = async (teamId: string) =>
  (
    await database.db.query<{ type: string }>(
      "select type from event where team_id = $1 and type like 'email.%' and type <> 'email.queued' order by id",
      [teamId],
    )
  ).map(({ type }) => type)

/** Creates an email whose process was killed after it read 250: its row, leased to that process, and its journal. */
async function givenAccepted(
  fields: Partial<JournalEntry> = {},
  place = OURS.place,
): Promise<{ teamId: string; node: string; emailId: string }> {
  const [teamId, node] = [newId(), newId()]
  await givenDeliveries(database.db, teamId, [{ domain: 'left.test' }])
  const [row] = await rowsOf(teamId)
  const emailId = row?.emailId ?? ''
  await lease(teamId, node)
  new Journal(directory, { ...OURS, node, place, pid: DEAD_PID }, log).note({
    teamId,
    emailId,
    no: 0,
    attempt: 1,
    state: 'delivered',
    startedAtMs: Date.now(),
    durationMs: 12,
    smtpCode: 250,
    enhancedCode: '2.0.0',
    response: 'Taken by the first',
    mxHost: 'mx.left.test',
    mxAddress: '192.0.2.1',
    sourceAddress: null,
    tls: null,
    signedAs: null,
    ...fields,
  })
  return { teamId, node, emailId }
}

/** Sets the row's lease as a claim, or its end, would. */
async function lease(teamId: string, node: string | null): Promise<void> {
  await database.db.query(
    'update delivery set ready = $3, leased_by = $2, leased_until = $4 where team_id = $1 and due_at is not null',
    [teamId, node, node === null, node === null ? null : new Date(Date.now() + 60_000)],
  )
}

const settleLeft = (db = database.db) => createLeftSettler(depsOf(db), directory, OURS)()

const deliveryOf = async (teamId: string, emailId: string) => {
  const [delivery] = await findOpenDeliveries(database.db, [{ teamId, emailId, no: 0 }], new Date())
  return delivery as DueDelivery
}

/** Settles the delivery as another process that claimed the row. */
const settleAs = (node: string, delivery: DueDelivery, state: 'deferred' | 'bounced') =>
  settleReports({ ...depsOf(), nodeId: node }, [
    {
      kind: 'attempted',
      result: {
        delivery,
        verdict: verdictOf(state === 'bounced' ? 'no_such_address' : 'temporary', state),
        startedAt: new Date(),
        durationMs: 1,
        smtpCode: state === 'bounced' ? 550 : 451,
        enhancedCode: null,
        response: 'Said to the second',
        mxHost: 'mx.left.test',
        mxAddress: '192.0.2.1',
        tls: null,
        transcript: [],
      },
    },
  ])

test('settled once after its process has died: the row, the attempt, the event', async () => {
  const { teamId } = await givenAccepted()
  await settleLeft()
  const settled = await rowsOf(teamId)
  expect(settled).toMatchObject([
    { status: 'delivered', attempts: 1, leasedBy: null, dueAt: null, response: 'Taken by the first' },
  ])
  expect(await attemptsOf(teamId)).toEqual([{ attempt: 1, response: 'Taken by the first' }])
  expect(await eventsOf(teamId)).toEqual(['email.delivered'])
  expect(readdirSync(directory)).toEqual([])
  await settleLeft()
  expect(await rowsOf(teamId)).toEqual(settled)
})

test('sent when a relay accepted it', async () => {
  const { teamId } = await givenAccepted({ state: 'sent' })
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'sent' }])
})

test('settled by two processes at once: one event', async () => {
  const { teamId } = await givenAccepted()
  await Promise.all([settleLeft(), settleLeft()])
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  expect(await eventsOf(teamId)).toEqual(['email.delivered'])
})

test('settled already: nothing changes', async () => {
  const { teamId, node, emailId } = await givenAccepted()
  await settleAs(node, await deliveryOf(teamId, emailId), 'bounced')
  const before = await rowsOf(teamId)
  await settleLeft()
  expect(await rowsOf(teamId)).toEqual(before)
  expect(await attemptsOf(teamId)).toHaveLength(1)
  expect(await eventsOf(teamId)).toEqual(['email.bounced'])
})

test('not in the journal: ready at once after its process has died, and others keep theirs', async () => {
  const { teamId, node } = await givenAccepted()
  const [held, other] = [newId(), newId()]
  await givenDeliveries(database.db, held, [{ domain: 'left.test' }])
  await lease(held, node)
  await givenDeliveries(database.db, other, [{ domain: 'left.test' }])
  await lease(other, OURS.node)
  let notified = 0
  const listener = listenOn(database.db, log, 'sendwright_due', () => notified++)
  listener.start()
  onTestFinished(() => listener.stop())
  await expect.poll(() => notified).toBe(1)
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered' }])
  expect(await rowsOf(held)).toMatchObject([{ status: 'queued', ready: true, leasedBy: null }])
  expect(await rowsOf(other)).toMatchObject([{ ready: false, leasedBy: OURS.node }])
  await expect.poll(() => notified).toBe(2)
})

test('silent in another container: settled, but it may be alive, so its leases stay', async () => {
  const { teamId, node } = await givenAccepted({}, 'elsewhere')
  const held = newId()
  await givenDeliveries(database.db, held, [{ domain: 'left.test' }])
  await lease(held, node)
  const later = { ...systemClock, now: () => new Date(Date.now() + 31_000) }
  await createLeftSettler({ ...depsOf(), clock: later }, directory, OURS)()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered' }])
  expect(await rowsOf(held)).toMatchObject([{ ready: false, leasedBy: node }])
})

test('ready again: delivered before any process claims it', async () => {
  const { teamId } = await givenAccepted()
  await lease(teamId, null)
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered' }])
})

test('claimed by another process: delivered, and its later report changes nothing', async () => {
  const { teamId, emailId } = await givenAccepted()
  const other = newId()
  await lease(teamId, other)
  const delivery = await deliveryOf(teamId, emailId)
  await settleLeft()
  const before = await rowsOf(teamId)
  expect(before).toMatchObject([{ status: 'delivered', leasedBy: null }])
  await settleAs(other, delivery, 'deferred')
  await settleAs(other, delivery, 'bounced')
  expect(await rowsOf(teamId)).toEqual(before)
  expect(await eventsOf(teamId)).toEqual(['email.delivered'])
})

test('deferred by another process: delivered, with both attempts', async () => {
  const { teamId, emailId } = await givenAccepted()
  const other = newId()
  await lease(teamId, other)
  await settleAs(other, await deliveryOf(teamId, emailId), 'deferred')
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered', attempts: 2, dueAt: null }])
  expect(await attemptsOf(teamId)).toEqual([
    { attempt: 1, response: 'Said to the second' },
    { attempt: 2, response: 'Taken by the first' },
  ])
  expect(await eventsOf(teamId)).toEqual(['email.delivery_delayed', 'email.delivered'])
})

test('unknown to the database (a backup was restored): the journal is removed, and nothing is settled', async () => {
  const { teamId } = await givenAccepted({ emailId: newId() })
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'queued', attempts: 0, ready: true }])
  expect(await attemptsOf(teamId)).toEqual([])
  expect(readdirSync(directory)).toEqual([])
})

test('kept during a database outage, and settled afterwards', async () => {
  const { teamId } = await givenAccepted()
  const away = openDb('postgres://nobody@127.0.0.1:1/nothing', {
    connectionsMax: 1,
    timeoutMs: 1000,
    name: 'test',
  })
  await expect(settleLeft(away)).rejects.toThrow(DatabaseUnavailable)
  await away.close()
  expect(readdirSync(directory)).toHaveLength(1)
  await settleLeft()
  expect(await rowsOf(teamId)).toMatchObject([{ status: 'delivered' }])
})

test('settled even if another one cannot be written, which does not keep the journal', async () => {
  const bad = await givenAccepted({ response: 'bad' })
  const good = await givenAccepted()
  await database.db.query("alter table attempt add constraint odd check (response <> 'bad') not valid")
  await settleLeft()
  await database.db.query('alter table attempt drop constraint odd')
  expect(await rowsOf(bad.teamId)).toMatchObject([{ status: 'queued', leasedBy: null }])
  expect(await rowsOf(good.teamId)).toMatchObject([{ status: 'delivered' }])
  expect(readdirSync(directory)).toEqual([])
})
