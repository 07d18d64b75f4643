/**
 * `npm run bench -- dashboard [--quick] [--work]`: measures the size of the first load of the dashboard's pages, and its
 * duration on a slow network with a slow processor. `--work` measures instead how a list of 100,000 rows scrolls, and
 * the scripts of a change of page.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { openDb } from '../../src/db/db.ts'
import { launchBrowser } from '../../test/browser/support/browser.ts'
import { givenPerson } from '../../test/browser/support/people.ts'
import { findTeams } from '../steady/world.ts'
import { createCaller } from '../support/caller.ts'
import { Product } from '../support/product.ts'
import { formatNumber, formatTable } from '../support/report.ts'
import { changePages } from './change-page.ts'
import { type Load, loadPage, type Visit } from './load-page.ts'
import { ROWS, scrollList } from './scroll-list.ts'

const ROUNDS = 7
const ROUNDS_QUICK = 1
const EMAILS = 200
const FIRST_CONTENT_MS_MAX = 1_500
const SCRIPT_KB_MAX = 300
const HEAD = ['page', 'JavaScript KB', 'all KB', 'first content ms', 'spread', 'heading ms', 'verdict']

/** Resolves with the exit code. */
export async function runDashboard(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, work: { type: 'boolean', default: false } },
  })
  spawnSync(process.execPath, [join(import.meta.dirname, '..', '..', 'web', 'build.ts')], {
    stdio: 'inherit',
  })
  const product = await Product.create(0, { environment: { SENDWRIGHT_DELIVERY: 'capture' } })
  await product.start()
  const browser = await launchBrowser()
  try {
    const visits = await prepareVisits(product)
    if (values.work) {
      process.stdout.write(await measureWork(browser, new Map(visits)))
      return 0
    }
    const rows: string[][] = []
    for (const [name, visit] of visits) {
      const loads: Load[] = []
      const rounds = values.quick ? ROUNDS_QUICK : ROUNDS
      while (loads.length < rounds) loads.push(await loadPage(browser, visit))
      rows.push(describeLoads(name, loads))
    }
    process.stdout.write(`${formatTable(HEAD, rows)}\n`)
  } finally {
    await browser.close()
    await product.remove()
  }
  return 0
}

/** Measures the work of the browser, with the processor as it is. */
async function measureWork(browser: Browser, visits: ReadonlyMap<string, Visit>): Promise<string> {
  const visit = (name: string) => visits.get(name) ?? { url: '', cookie: null }
  const changes = await changePages(browser, visit('overview'))
  const pages = formatTable(
    ['change to', 'script ms, first', 'script ms, again'],
    changes.map(({ name, scriptMs: [first = 0, ...others] }) => [
      name,
      formatNumber(first),
      others.map(formatNumber).join(' '),
    ]),
  )
  const { frameMs, cpuMsPerFrame, drawnRows, heapMb } = await scrollList(browser, visit('emails'))
  const sorted = frameMs.toSorted((one, other) => one - other)
  const at = (share: number) => formatNumber(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  const scroll = formatTable(
    ['rows', 'drawn', 'heap MB', 'CPU ms per frame', 'frame ms, p50', 'p95', 'p99', 'max'],
    [
      [
        String(ROWS),
        String(drawnRows),
        formatNumber(heapMb),
        formatNumber(cpuMsPerFrame),
        at(0.5),
        at(0.95),
      ].concat(at(0.99), at(1)),
    ],
  )
  return `${pages}\n\n${scroll}\n`
}

/** Prepares the page visits, for a user whose team has sent some emails. */
async function prepareVisits(product: Product): Promise<[string, Visit][]> {
  const url = `http://localhost:${product.port}`
  const [sender] = await product.createSenders(1)
  if (sender === undefined) throw new Error('there is no sender')
  const call = createCaller(product.port, sender.key)
  for (let count = 0; count < EMAILS; count++) {
    const to = `delivered+${count}@simulator.test`
    const body = { from: sender.from, to, subject: `Order ${count}`, text: 'Thank you.' }
    await call({ method: 'POST', path: '/emails', body })
  }
  const db = openDb(product.databaseUrl, { connectionsMax: 1, timeoutMs: 30_000, name: 'bench' })
  const [team] = await findTeams(db, [sender])
  const teamId = team?.teamId ?? null
  const person = await givenPerson(db, teamId, { role: 'owner', name: 'Bench Reader' })
  const cookie = await person.logIn()
  await db.close()
  const inside = (path: string): Visit => ({ url: `${url}/app/${teamId}${path}`, cookie })
  return [
    ['log in', { url: `${url}/app/login`, cookie: null }],
    ['overview', inside('')],
    ['emails', inside('/emails')],
    ['templates', inside('/templates')],
    ['contacts', inside('/contacts')],
  ]
}

function describeLoads(name: string, loads: readonly Load[]): string[] {
  const sorted = (pick: (load: Load) => number) => loads.map(pick).toSorted((a, b) => a - b)
  const median = (numbers: number[]) => numbers[Math.floor(numbers.length / 2)] ?? 0
  const content = sorted(({ firstContentMs }) => firstContentMs)
  const script = median(sorted(({ scriptKb }) => scriptKb))
  const isMet = script <= SCRIPT_KB_MAX && median(content) <= FIRST_CONTENT_MS_MAX
  return [
    name,
    formatNumber(script),
    formatNumber(median(sorted(({ allKb }) => allKb))),
    formatNumber(median(content)),
    `${formatNumber(content[0] ?? 0)} to ${formatNumber(content.at(-1) ?? 0)}`,
    formatNumber(median(sorted(({ headingMs }) => headingMs))),
    isMet ? 'met' : 'MISSED',
  ]
}
