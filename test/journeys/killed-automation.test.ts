import { expect, onTestFinished, test } from 'vitest'
import { isFull } from '../support/thorough.ts'
import { givenAutomation } from './support/automation.ts'
import { SLOW_POLL_MS, until } from './support/children.ts'
import { keepRunning } from './support/kept.ts'
import { givenInstallation } from './support/running-server.ts'
import { queryDatabase } from './support/verdict.ts'

const RUNS = isFull ? 10_000 : 1_000
const KILLS = isFull ? 20 : 6
/** Of a run, with its trigger. */
const STEPS = 6
const COMMIT_POLL_MS = 10

/**
 * Lets the commits of moves and of acceptance take a while, so that kills meet them: PostgreSQL then commits, and what belongs to the
 * move but is not in its transaction is never done, or done again.
 */
async function slowDown(url: string): Promise<void> {
  const statements = [
    'create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.001); return null; end $$',
    ...['insert on email', 'insert or update on automation_run'].map(
      (event) =>
        `create constraint trigger slow after ${event} deferrable initially deferred for each row execute function slow()`,
    ),
  ]
  for (const statement of statements) await queryDatabase(url, statement)
}

const IN_COMMIT = `select count(*)::int4 as count from pg_stat_activity
  where wait_event = 'PgSleep' and query ilike 'commit%'`

/** Returns true for a count of at least `least`; null otherwise, and while the database is away. */
async function isReached(count: () => Promise<number>, least: number): Promise<true | null> {
  return (await count().catch(() => 0)) >= least ? true : null
}

test('runs of five steps send each email once while their processes and PostgreSQL are killed', {
  timeout: 600_000,
}, async () => {
  const { postgres, installation } = await givenInstallation()
  await installation.mx.start()
  const server = keepRunning(() => installation.serve())
  onTestFinished(() => server.release())
  // Two processes take the steps at once.
  const other = keepRunning(() => installation.serve({ roles: 'scheduler,deliver' }))
  onTestFinished(() => other.release())
  await Promise.all([server.ready(), other.ready()])
  await slowDown(postgres.url)
  const automationId = await givenAutomation(installation, RUNS)

  const victims = [
    () => Promise.all([server.kill(), other.kill()]),
    () => server.kill(),
    async () => {
      await postgres.kill()
      await postgres.start()
    },
  ]
  const count = (sql: string) =>
    queryDatabase<{ count: number }>(postgres.url, sql).then(([row]) => row?.count ?? 0)
  const taken = () => count('select count(*)::int4 as count from automation_step_taken')
  for (let turn = 0; turn < KILLS; turn++) {
    // Kills are spread over the work, so that they meet each kind of step.
    const part = (STEPS * RUNS * (turn + 1)) / (KILLS + 1)
    await until(`${part} steps are taken`, 300_000, () => isReached(taken, part))
    await until('a commit is slow', 60_000, () => isReached(() => count(IN_COMMIT), 1), COMMIT_POLL_MS)
    await victims[turn % victims.length]?.()
  }
  const completed = `select count(*)::int4 as count from automation_run where outcome = 'completed'`
  await until(
    'all runs are complete',
    300_000,
    () =>
      count(completed).then(
        (done) => (done === RUNS ? true : null),
        () => null,
      ),
    SLOW_POLL_MS,
  )
  expect(await count('select count(*)::int4 as count from automation_run')).toBe(RUNS)
  // Two emails to each contact, and each step once in each run.
  expect(await count('select count(*)::int4 as count from delivery')).toBe(2 * RUNS)
  expect(
    await queryDatabase(
      postgres.url,
      `select subject, count(*)::int4 as emails, count(distinct addressees ->> 'to')::int4 as people
       from email
       group by subject
       order by subject`,
    ),
  ).toEqual([
    { subject: 'First', emails: RUNS, people: RUNS },
    { subject: 'Second', emails: RUNS, people: RUNS },
  ])
  expect(
    await queryDatabase(
      postgres.url,
      `select step, count(*)::int4 as count, count(distinct run_id)::int4 as runs from automation_step_taken group by step order by step`,
    ),
  ).toEqual(
    ['begin', 'first', 'join', 'second', 'start', 'wait'].map((step) => ({ step, count: RUNS, runs: RUNS })),
  )
  expect(
    await queryDatabase(
      postgres.url,
      `select step, entered::int4, done::int4 from automation_figure where automation_id = '${automationId}' order by step`,
    ),
  ).toEqual(
    ['begin', 'first', 'join', 'second', 'start', 'wait'].map((step) => ({
      step,
      entered: RUNS,
      done: RUNS,
    })),
  )
  expect([...server.crashes(), ...other.crashes()]).toEqual([])
})
