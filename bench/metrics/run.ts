/**
 * `npm run bench -- metrics [--quick]`: measures GET /emails/metrics with the counts of a year of 50,000,000
 * events, and the cost of counting events.
 */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { openDb } from '../../src/db/db.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { RollUp } from '../../src/metrics/roll-up.ts'
import { type Case, casesOf } from '../lists/cases.ts'
import { measureCase } from '../lists/measure.ts'
import { formatLists } from '../lists/report.ts'
import { createCaller } from '../support/caller.ts'
import { connectLoader, findTeamId } from '../support/loader.ts'
import { startMeter } from '../support/meter.ts'
import { Product } from '../support/product.ts'
import type { Sender } from '../support/senders.ts'
import { fillEvents, fillRollups } from './fill.ts'

const FULL = { count: 50_000_000, uncounted: 200_000, requests: 100 }
const QUICK = { count: 1_000_000, uncounted: 50_000, requests: 10 }
const LOADERS = 2
const DAY_MS = 24 * 3_600_000

function listCases(now: Date): Case[] {
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  const year = `start_date=${day(365)}&end_date=${day(0)}`
  const month = `start_date=${day(30)}&end_date=${day(0)}&interval=hour`
  const domain = 'domain_id=0d4a8e5d-cabf-8d14-a9b8-9c27e7b5a1cf'
  const queries = ['', year, month, `${year}&${domain}`, `${year}&tag=tag1:value1`]
  const groups = ['domain', 'tag', 'template', 'sender', 'provider', 'reason'].map(
    (by) => `${year}&group_by=${by}&limit=20`,
  )
  const rows = [...queries, ...groups, `${month}&group_by=tag`].map((query) => [query, 'all'] as const)
  const zone = 'time_zone=America/New_York'
  const local = [
    `start_date=${day(90)}&end_date=${day(0)}&${zone}`,
    `${year}&include_simulated=true&group_by=domain&limit=20`,
  ]
  const summaries = ['', year, month, `${year}&${zone}&include_simulated=true`]
  return [
    ...casesOf('/emails/metrics', [...rows, ...local.map((query) => [query, 'all'] as const)]),
    ...casesOf(
      '/summary',
      summaries.map((query) => [query, 'all'] as const),
    ),
  ]
}

/** Counts the remaining events, and describes the cost in this process and in the database. */
async function measureRollUp(product: Product, events: number): Promise<string> {
  const db = openDb(product.databaseUrl, { connectionsMax: 4, timeoutMs: 30_000, name: 'bench' })
  const guard = { bounceRate: 0.1, complaintRate: 0.005, recipientsMin: 200 }
  const rollUp = new RollUp({ db, clock: systemClock, guard })
  const meter = startMeter(product.pids, { memory: false })
  const [cpuBefore, startedAt] = [process.cpuUsage(), performance.now()]
  let turns = 1
  while (await rollUp.run()) turns++
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  await db.close()
  const ownMs = (user + system) / events
  const databaseMs = (meter.stop().cpuSeconds * 1_000_000) / events
  return `${events} events in ${turns} turns: ${(events / seconds).toFixed(0)} events/s; CPU ms for 1,000 events: ${ownMs.toFixed(1)} own, ${databaseMs.toFixed(1)} database`
}

/** Returns the main lines of PostgreSQL's plan for reading the next batch of a feed. */
async function explainRead(client: pg.Client, teamId: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, summary on, timing off)
     select type, data ->> 'recipient'
     from event
     where team_id = $1 and position > (select position from metric_feed where team_id = $1)
     order by position
     limit 5000`,
    [teamId],
  )
  const lines = rows.map((row) => row['QUERY PLAN'])
  return lines.filter((line) => /^( {2}Buffers|Limit|Planning Time|Execution Time)/.test(line)).join('\n')
}

/** Returns the exit code: 1 if a target was missed. */
export async function runMetrics(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, events: { type: 'string' } },
  })
  const scale = values.quick ? QUICK : FULL
  const count = values.events === undefined ? scale.count : Number(values.events)
  const product = await Product.create(1)
  try {
    await product.start({ roles: 'api' })
    const [sender] = (await product.createSenders(1)) as [Sender]
    const { databaseUrl } = product
    const clients = await Promise.all(Array.from({ length: LOADERS }, () => connectLoader(databaseUrl)))
    const [client] = clients as [pg.Client]
    const teamId = await findTeamId(client, sender.domainId)
    const now = new Date()
    const startedAt = performance.now()
    await fillRollups(client, teamId, now)
    await fillEvents(clients, teamId, { count, uncounted: scale.uncounted, now })
    await client.query('vacuum (analyze)')
    process.stderr.write(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
    process.stdout.write(`${await explainRead(client, teamId)}\n`)
    const call = createCaller(product.port, sender.key)
    const measured = []
    for (const each of listCases(now)) {
      await client.query('update rate_window set requests = 0')
      measured.push(await measureCase(call, each, scale.requests))
    }
    process.stdout.write(`${formatLists(measured, true)}\n`)
    for (const { failure } of measured) if (failure !== null) process.stderr.write(`${failure}\n`)
    process.stdout.write(`${await measureRollUp(product, scale.uncounted)}\n`)
    await Promise.all(clients.map((each) => each.end()))
    return measured.every((each) => each.p99Ms <= each.targetMs) ? 0 : 1
  } finally {
    await product.remove()
  }
}
