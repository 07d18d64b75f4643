import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiErrorToJson } from '../../src/http/connections/error-body.ts'
import { ApiError } from '../../src/lib/api-error.ts'
import { SLOW_POLL_MS, until } from '../journeys/support/children.ts'
import { type Answer, type Clients, startClients } from '../journeys/support/clients.ts'
import { START_LIMIT_MS } from '../journeys/support/installation.ts'
import { embeddedVictim } from '../journeys/support/killing.ts'
import { compareLedgers } from '../journeys/support/verdict.ts'
import { installHaproxy } from './support/balancer.ts'
import { type Cell, type Cells, startCells } from './support/cells.ts'

const absent = await installHaproxy()
if (absent !== null) process.stderr.write(`${absent}\n`)

/** Each cell gets at most 40 emails a second, in four connections. */
const CLIENTS = 4
const EVERY_MS = 100
/** More than any trial sends: the clients stop when it is over. */
const EMAILS_MAX = 20_000
/** The responses by which a latency is measured. */
const SAMPLE = 300
const KILLS = 3
/** Both cells, their clients and the balancer share the processors on which PostgreSQL recovers. */
const SHARED_MS = 100
const LIMIT_MS = 120_000

describe.skipIf(absent !== null)('two cells under load behind one address', () => {
  let cells: Cells
  beforeAll(async () => {
    cells = await startCells({ a1: {}, b2: {} })
    await Promise.all([cells.a1, cells.b2].map(({ installation }) => installation.mx.start()))
  })
  afterAll(() => cells?.remove())

  let first = 0
  /** Starts the load on both cells. `finish` waits until all of it has arrived, and compares the ledgers of both sides. */
  async function startLoads() {
    const { a1, b2, balancer, authorityPath: authority } = cells
    const loads = [a1, b2].map(({ installation, sender }) =>
      startClients(installation.directory, {
        ...{ first, authority, clients: CLIENTS, emails: EMAILS_MAX, everyMs: EVERY_MS },
        urls: [`https://localhost:${balancer.port}`],
        senders: [sender],
        destinations: installation.destinations,
      }),
    )
    first += EMAILS_MAX
    const [killed, other] = loads as [Clients, Clients]
    const sinceMs = Date.now()
    await untilAccepted(killed, sinceMs)
    return {
      killed,
      other,
      async finish() {
        for (const { process } of loads) process.signal('SIGUSR2')
        await Promise.all(loads.map(({ process }) => process.waitForLine('all accepted', LIMIT_MS)))
        await expectAllArrived(a1, killed.answers())
        await expectAllArrived(b2, other.answers())
        const duringLoad = (load: Clients) => load.answers().filter(({ atMs }) => atMs >= sinceMs)
        expect(duringLoad(other).filter(({ status }) => status !== 202)).toEqual([])
        return duringLoad(killed)
      },
    }
  }

  test(`kill -9 of the PostgreSQL of one, ${KILLS} times`, async () => {
    const { killed, other, finish } = await startLoads()
    const controlMs = Date.now()
    await untilAnswers(other, controlMs, KILLS * SAMPLE)
    const killedMs = Date.now()
    const victim = embeddedVictim(cells.a1.installation.environment.SENDWRIGHT_DATA_DIR ?? '')
    for (let count = 1; count <= KILLS; count++) {
      const outage = await victim.kill()
      await untilAccepted(killed, outage?.backMs ?? Number.NaN)
      await untilAnswers(other, killedMs, count * SAMPLE)
    }
    const endMs = Date.now()
    const answers = await finish()
    const between = (fromMs: number, toMs: number) =>
      latencyOf(other.answers().filter(({ atMs }) => atMs >= fromMs && atMs < toMs))
    const [control, during] = [between(controlMs, killedMs), between(killedMs, endMs)]
    console.log(`p99 of the other cell: ${during} ms, control ${control} ms; ${describeErrors(answers)}`)
    expect(during).toBeLessThanOrEqual(Math.max(2 * control, control + SHARED_MS))
    expect(countOf(answers, 503)).toBeGreaterThan(0)
    expectUsualErrors(answers, [202, 409, 503])
  })

  test('one cell stops', async () => {
    const { killed, finish } = await startLoads()
    cells.a1.server.signal('SIGTERM')
    expect(await cells.a1.server.ended).toBe(0)
    await untilAway(killed)
    await cells.a1.start()
    await untilAccepted(killed, Date.now())
    const answers = await finish()
    console.log(describeErrors(answers))
    expectUsualErrors(answers, [202, 503])
  })

  test('kill -9 of the server of one', async () => {
    const { killed, finish } = await startLoads()
    cells.a1.server.signal('SIGKILL')
    await cells.a1.server.ended
    await untilAway(killed)
    await cells.a1.start()
    await untilAccepted(killed, Date.now())
    const answers = await finish()
    console.log(describeErrors(answers))
    expectUsualErrors(answers, [202, 409, 502, 503])
  })
})

const countOf = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length

const describeErrors = (answers: readonly Answer[]) =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .map(([status, all]) => `${all.length} × ${status}`)
    .join(', ')

/** Resolves when the clients have got `count` responses to requests since then. */
async function untilAnswers(clients: Clients, sinceMs: number, count: number): Promise<void> {
  const areThere = () =>
    clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs >= sinceMs).length >= count ? true : null
  await until(`${count} responses`, LIMIT_MS, areThere, SLOW_POLL_MS)
}

/** Resolves when an email that was sent after this moment is accepted. */
async function untilAccepted(clients: Clients, sinceMs: number): Promise<void> {
  const isThere = () =>
    clients.answers().some(({ status, atMs, tookMs }) => status === 202 && atMs - tookMs >= sinceMs)
      ? true
      : null
  await until('an email is accepted', START_LIMIT_MS, isThere, SLOW_POLL_MS)
}

/** Resolves when the balancer has noticed that the cell is away, and answers at once. */
async function untilAway(clients: Clients): Promise<void> {
  const sinceMs = Date.now()
  const isThere = () => {
    const quick = clients.answers().filter(({ atMs, tookMs }) => atMs - tookMs >= sinceMs && tookMs < 500)
    return countOf(quick, 503) >= SAMPLE / 10 ? true : null
  }
  await until('the balancer has noticed', LIMIT_MS, isThere, SLOW_POLL_MS)
}

/** Returns the 99th percentile of the response times, in milliseconds. */
function latencyOf(answers: readonly Answer[]): number {
  const times = answers.map(({ tookMs }) => tookMs).sort((one, other) => one - other)
  return Math.round(times[Math.floor(times.length * 0.99)] ?? Number.NaN)
}

/** Every email that a client knows to be accepted has arrived once. */
async function expectAllArrived({ installation: { mx } }: Cell, answers: readonly Answer[]): Promise<void> {
  const accepted = new Set(answers.filter(({ status }) => status === 202).map(({ number }) => number))
  const haveArrived = () => (mx.stored().length >= accepted.size ? true : null)
  await until('everything has arrived', LIMIT_MS, haveArrived, SLOW_POLL_MS).catch(() => {})
  const verdict = compareLedgers(answers, mx, [])
  expect(verdict).toMatchObject({ lost: [], strange: [], duplicates: [], ambiguous: [] })
  expect(verdict.acceptedCount).toBe(new Set(answers.map(({ number }) => number)).size)
}

/** Each error has the form of the API, wherever it comes from. */
function expectUsualErrors(answers: readonly Answer[], statuses: readonly number[]): void {
  expect(answers.filter(({ status }) => !statuses.includes(status))).toEqual([])
  const away = apiErrorToJson(new ApiError('service_unavailable'))
  for (const { status, text, requestId, retryAfter } of answers.filter((one) => one.status !== 202)) {
    const body = JSON.parse(text)
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(body.statusCode).toBe(status)
    if (status !== 503) continue
    expect(body).toEqual(away)
    expect(retryAfter).toMatch(/^\d+$/)
  }
}
