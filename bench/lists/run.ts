/**
 * `npm run bench -- lists [--quick] [--only TEXT]`: requests every list, filter and segment over HTTP, on an
 * installation whose only team has 5,000,000 emails, 1,000,000 contacts and 1,000,000 suppressions.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { newId } from '../../src/lib/ids.ts'
import { createCaller } from '../support/caller.ts'
import { connectLoader, findTeamId } from '../support/loader.ts'
import { describeRun } from '../support/machine.ts'
import { Product } from '../support/product.ts'
import { replaceSection } from '../support/section.ts'
import type { Sender } from '../support/senders.ts'
import { fillAudience } from './audience.ts'
import { type Case, listCases, type World } from './cases.ts'
import { fillEmails } from './emails.ts'
import { type Measurement, measureCase } from './measure.ts'
import { formatLists, formatListsSection, LISTS_HEADING } from './report.ts'
import { makeSegments } from './segments.ts'

const RESULTS_PATH = join(import.meta.dirname, '..', 'RESULTS.md')

interface Counts {
  emails: number
  contacts: number
  suppressions: number
  requests: number
}
const FULL: Counts = { emails: 5_000_000, contacts: 1_000_000, suppressions: 1_000_000, requests: 200 }
const QUICK: Counts = { emails: 200_000, contacts: 50_000, suppressions: 50_000, requests: 20 }
const LOADERS = 2

/** Creates everything that the cases refer to: the few configuration records over HTTP, the mass data with SQL. */
async function fillWorld(product: Product, sender: Sender, counts: Counts): Promise<World> {
  const call = createCaller(product.port, sender.key)
  const create = async (path: string, body: unknown) =>
    (await call<{ id: string }>({ method: 'POST', path, body })).id
  const list = (name: string) => create('/lists', { name })
  const property = (key: string, type: string) => create('/properties', { key, type })
  const lists = { half: await list('Half'), few: await list('Few') }
  const properties = {
    plan: await property('plan', 'string'),
    age: await property('age', 'number'),
    joined: await property('joined', 'date'),
  }
  const segments: Record<string, string> = {}
  for (const segment of makeSegments(properties, lists.half)) {
    segments[segment.name] = await create('/segments', segment)
  }
  const domains = { few: newId(), some: newId(), most: sender.domainId }
  const templates = { few: newId(), many: newId() }
  const clients = await Promise.all(Array.from({ length: LOADERS }, () => connectLoader(product.databaseUrl)))
  const [client] = clients as [pg.Client]
  const teamId = await findTeamId(client, domains.most)
  const now = new Date()
  await fillEmails(clients, { teamId, count: counts.emails, now, domains, templates })
  const { contacts: contactCount, suppressions: suppressionCount } = counts
  await fillAudience(clients, { teamId, contactCount, suppressionCount, now, lists, properties })
  // Autovacuum would do this within minutes. It must not run during the measurements.
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')
  await Promise.all(clients.map((each) => each.end()))
  return { domains, templates, lists, segments }
}

async function measureAll(
  product: Product,
  sender: Sender,
  cases: readonly Case[],
  requests: number,
): Promise<Measurement[]> {
  const client = await connectLoader(product.databaseUrl)
  const call = createCaller(product.port, sender.key)
  const measured: Measurement[] = []
  for (const each of cases) {
    // A team may send 6,000 requests a minute: reset the count for every row of the table.
    await client.query('update rate_window set requests = 0')
    const measurement = await measureCase(call, each, requests)
    process.stderr.write(`${formatLists([measurement], false)} ${measurement.failure ?? ''}\n`)
    measured.push(measurement)
  }
  await client.end()
  return measured
}

/** Returns the exit code: 1 if a target was missed. */
export async function runLists(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  })
  const counts = values.quick ? QUICK : FULL
  const product = await Product.create(1)
  try {
    await product.start({ roles: 'api' })
    const [sender] = (await product.createSenders(1)) as [Sender]
    const startedAt = performance.now()
    const world = await fillWorld(product, sender, counts)
    process.stderr.write(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
    const cases = listCases(world).filter(({ what }) => what.includes(values.only))
    const measured = await measureAll(product, sender, cases, counts.requests)
    process.stdout.write(`\n${formatLists(measured, true)}\n`)
    if (!values.quick && values.only === '') {
      const old = readFileSync(RESULTS_PATH, 'utf8')
      const text = `${describeRun('lists')}\n\n${formatListsSection(measured)}`
      writeFileSync(RESULTS_PATH, replaceSection(old, LISTS_HEADING, text))
    }
    return measured.every((each) => each.p99Ms <= each.targetMs) ? 0 : 1
  } finally {
    await product.remove()
  }
}
