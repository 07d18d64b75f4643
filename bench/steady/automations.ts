import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { followedTypes } from '../../src/automations/activate.ts'
import type { Graph } from '../../src/automations/graph/graph-types.ts'
import { DEFAULT_SETTINGS } from '../../src/automations/graph/graph-types.ts'
import { leaseDueRuns, releaseAutomationRuns } from '../../src/automations/rows/runs-queries.ts'
import { startAutomationRunner } from '../../src/automations/working/automation-runner.ts'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/db/migrations/migrate.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { makeDirectory, removeDirectory } from '../support/children.ts'
import { measurePending } from './claim.ts'
import { checkAtMost, checkBeside, type Outcome, p99, type Size, type SteadyFigure } from './outcome.ts'

const WAITING_COUNT = 1_000_000
const CLAIMS = 300
const CLAIM_COUNT = 100
const MAIL_COUNT = 100_000
const FLOOD_COUNT = 50_000
const OTHERS = 60
/** Between two runs of another team, at random: at a fixed distance, they would meet the looks of an idle runner always or never. */
const EVERY_MS = 500
const TARGET_MS = 50

/** A run takes four steps: it begins, two conditions, and ends. */
const GRAPH: Graph = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'api' } },
    ...['one', 'two'].map((key) => ({
      key,
      type: 'condition' as const,
      config: { type: 'rule' as const, field: 'contact.email', operator: 'exists' as const },
    })),
    { key: 'end', type: 'exit', config: {} },
  ],
  connections: [
    { from: 'start', to: 'one', type: 'default' },
    { from: 'one', to: 'two', type: 'condition_met' },
    { from: 'two', to: 'end', type: 'condition_met' },
  ],
}
const STEPS = 3

interface World {
  db: Db
  client: pg.Client
}

async function withDatabase<T>(work: (world: World) => Promise<T>): Promise<T> {
  const dataDir = makeDirectory('automations')
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  const db = openDb(postgres.url, { connectionsMax: 6, timeoutMs: 60_000, name: 'bench' })
  const client = new pg.Client({ connectionString: postgres.url, options: '-c synchronous_commit=off' })
  try {
    await migrate(db, new Date())
    await client.connect()
    return await work({ db, client })
  } finally {
    await client.end()
    await db.close()
    await postgres.stop()
    removeDirectory(dataDir)
  }
}

/** Creates an active automation of a new team. Returns both ids. */
async function givenAutomation({
  client,
}: Pick<World, 'client'>): Promise<{ teamId: string; automationId: string }> {
  const [teamId, automationId] = [newId(), newId()]
  const values = [teamId, automationId, JSON.stringify(GRAPH), JSON.stringify(DEFAULT_SETTINGS)]
  await client.query(
    `insert into automation (team_id, id, name, status, graph, settings, version, active_since, created_at, updated_at)
     values ($1, $2, 'A', 'active', $3, $4, 1, now(), now(), now())`,
    values,
  )
  await client.query(
    `insert into automation_version (team_id, automation_id, version, graph, settings, follows, created_at)
     values ($1, $2, 1, $3, $4, $5, now())`,
    [...values, followedTypes(GRAPH, DEFAULT_SETTINGS)],
  )
  await client.query('insert into automation_feed (team_id, position) values ($1, 0)', [teamId])
  return { teamId, automationId }
}

/** Inserts contacts with a run each at the first step, due from a number of seconds on, a day apart at most. */
async function insertRuns(
  { client }: Pick<World, 'client'>,
  { teamId, automationId }: { teamId: string; automationId: string },
  count: number,
  dueInSeconds: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (let start = 0; start < count; start += 50_000) {
    await client.query(
      `with k as materialized (
         select id, no from unnest($3::uuid[]) with ordinality as k (id, no)
       ),
       c as (
         insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
         select $1, id, 'c' || id || '@x.test', false, now(), now() from k
       )
       insert into automation_run (team_id, id, automation_id, version, contact_id, state, step, moves, entered_at, due_at,
         begun_after, heard_until, cause, payload, depth, started_at)
       select $1, id, $2, 1, id, 'active', 'one', 1, now(),
         now() + make_interval(secs => $4 + no * 86400.0 / $5), 0, 0, '{"type": "api"}', '{}', 0, now()
       from k`,
      [teamId, automationId, ids.slice(start, start + 50_000), dueInSeconds, count],
    )
  }
  return ids
}

/** Claims due runs beside many that wait, again and again. */
async function measureClaims(waitingCount: number): Promise<number[]> {
  return withDatabase(async (world) => {
    const automation = await givenAutomation(world)
    await insertRuns(world, automation, waitingCount, 86_400)
    await insertRuns(world, automation, CLAIM_COUNT * 2, -100_000)
    await world.client.query('vacuum (analyze)')
    await world.client.query('checkpoint')
    const times: number[] = []
    for (let turn = 0; turn < CLAIMS; turn++) {
      times.push(await claimOnce(world.db, automation.teamId))
    }
    return times
  })
}

/** Claims due runs of a team, and lets go of them. Returns how long the claim took, in milliseconds. */
async function claimOnce(db: Db, teamId: string): Promise<number> {
  const now = new Date()
  const startedMs = performance.now()
  const until = new Date(now.getTime() + 60_000)
  const runs = await leaseDueRuns(db, teamId, { now, until }, CLAIM_COUNT)
  const tookMs = performance.now() - startedMs
  if (runs.length !== CLAIM_COUNT) throw new Error(`${runs.length} runs were claimed.`)
  await releaseAutomationRuns(
    db,
    teamId,
    runs.map(({ id }) => id),
  )
  return tookMs
}

/** Claims mail in a database where many runs wait, and due ones are claimed before each claim of mail. */
async function measureMailClaims(mailCount: number, waitingCount: number): Promise<number[]> {
  let teamId = ''
  return measurePending(mailCount, {
    async fill(client) {
      const automation = await givenAutomation({ client })
      await insertRuns({ client }, automation, waitingCount, 86_400)
      await insertRuns({ client }, automation, CLAIM_COUNT * 2, -100_000)
      teamId = automation.teamId
    },
    async act(db) {
      await claimOnce(db, teamId)
    },
  })
}

interface Flood {
  /** Steps a second. */
  rates: number[]
  /** Milliseconds from when a run of another team is due until it has ended. */
  control: number[]
  beside: number[]
}

/** Takes one team's flood through its steps, beside single runs of another team. */
async function measureFlood(size: Size): Promise<Flood> {
  return withDatabase(async (world) => {
    const [flooded, other] = [await givenAutomation(world), await givenAutomation(world)]
    const runner = startAutomationRunner({
      db: world.db,
      clock: systemClock,
      log: createLog('warn'),
      acceptEmails: () => Promise.reject(new Error('No email is sent here.')),
      findTemplate: () => Promise.resolve(null),
      unsubscribeUrl: () => '',
      subscribe: () => () => {},
    })
    try {
      const control = await timeOthers(world, other, () => false)
      const count = Math.round(FLOOD_COUNT * size.scale)
      await insertRuns(world, flooded, count, -100_000)
      const startedMs = performance.now()
      let isDone = false
      const beside = timeOthers(world, other, () => isDone)
      await untilEnded(world, flooded.teamId)
      isDone = true
      const seconds = (performance.now() - startedMs) / 1000
      size.progress(`${count} runs of ${STEPS} steps in ${seconds.toFixed(1)} s`)
      return { rates: [(count * STEPS) / seconds], control, beside: await beside }
    } finally {
      await runner.stop()
    }
  })
}

async function timeOthers(
  world: World,
  automation: { teamId: string; automationId: string },
  isOver: () => boolean,
): Promise<number[]> {
  const times: number[] = []
  while (times.length < OTHERS && !isOver()) {
    const startedMs = performance.now()
    const [id] = await insertRuns(world, automation, 1, -100_000)
    await untilEnded(world, automation.teamId, id)
    times.push(performance.now() - startedMs)
    await pause(Math.max(0, EVERY_MS * (0.5 + Math.random()) - (performance.now() - startedMs)))
  }
  return times
}

async function untilEnded({ db }: World, teamId: string, id: string | null = null): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `select 1 from automation_run where team_id = $1 and ($2::uuid is null or id = $2) and state <> 'ended' limit 1`,
      [teamId, id],
    )
    if (rows.length === 0) return
    await pause(10)
  }
}

export const automations: SteadyFigure = {
  name: 'automations',
  title: 'Automations',
  note:
    'Claims of 100 due runs of a team beside 1,000,000 that wait, on the embedded PostgreSQL. Then one team has 50,000 runs due at once, ' +
    'each of three steps without email, while single runs of another team come due one after another; the control is the same without ' +
    'the flood. The runner looks for due runs every 500 ms when it is idle, which is most of the control. Claims of 200 emails of ' +
    '100,000 are measured in a database of their own, and in one where the runs wait and due ones are claimed meanwhile.',
  async run(size): Promise<Outcome> {
    const waitingCount = Math.round(WAITING_COUNT * size.scale)
    const claims = await measureClaims(waitingCount)
    const mailCount = Math.round(MAIL_COUNT * size.scale)
    const mailAlone = await measurePending(mailCount)
    const mailBeside = await measureMailClaims(mailCount, waitingCount)
    const { rates, control, beside } = await measureFlood(size)
    return {
      measured: [
        { what: 'claim of 100 due runs', unit: 'ms', values: claims },
        { what: 'claim of 200 emails, control', unit: 'ms', values: mailAlone },
        { what: 'claim of 200 emails, beside the runs', unit: 'ms', values: mailBeside },
        { what: 'steps', unit: '1/s', values: rates },
        { what: 'run of another team, control', unit: 'ms', values: control },
        { what: 'run of another team, beside the flood', unit: 'ms', values: beside },
      ],
      verdicts: [
        checkAtMost(`claim: p99 ≤ ${TARGET_MS} ms`, p99(claims), TARGET_MS, 'ms'),
        checkBeside('claim of 200 emails', mailBeside, mailAlone),
        checkBeside('run of another team', beside, control),
      ],
    }
  },
}
