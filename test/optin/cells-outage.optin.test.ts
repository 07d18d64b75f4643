import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiErrorToJson } from '../../src/http/connections/error-body.ts'
import { ApiError } from '../../src/lib/api-error.ts'
import { SLOW_POLL_MS, until } from '../journeys/support/children.ts'
import { type Answer, type Clients, startClients } from '../journeys/support/clients.ts'
import { START_LIMIT_MS } from '../journeys/support/installation.ts'
import { embeddedVictim } from '../journeys/support/killing.ts'
import { compareLedgers, type Kill } from '../journeys/support/verdict.ts'
import { ask, withKey } from './support/ask.ts'
import { API_HOST, installHaproxy } from './support/balancer.ts'
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
      async finish(kills: readonly Kill[] = []) {
        for (const { process } of loads) process.signal('SIGUSR2')
        await Promise.all(loads.map(({ process }) => process.waitForLine('all accepted', LIMIT_MS)))
        await expectAllArrived(a1, killed.answers(), kills)
        await expectAllArrived(b2, other.answers(), [])
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
    const { installation, server } = cells.a1
    const victim = embeddedVictim(installation.environment.SENDWRIGHT_DATA_DIR ?? '', () => server)
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
    const client = cells.balancer.clientFrom('127.0.0.66')
    const url = `https://${API_HOST}:${cells.balancer.port}/domains`
    const statusOf = async (headers: string[]) => (await ask(client, url, { headers })).status
    // A cell that is up answers what belongs to no cell. What belongs to the stopped cell must not become a 401.
    for (let count = 0; count < 4; count++) {
      expect(await statusOf(withKey(`sw_zz_${'x'.repeat(40)}`))).toBe(401)
      expect(await statusOf([])).toBe(401)
      expect(await statusOf(withKey(`sw_${'x'.repeat(40)}`))).toBe(503)
    }
    await cells.a1.start()
    await untilAccepted(killed, Date.now())
    const answers = await finish()
    console.log(describeErrors(answers))
    expectUsualErrors(answers, [202, 503])
  })

  test('kill -9 of the server of one', async () => {
    const { killed, finish } = await startLoads()
    const { response } = await beginRequest()
    const atMs = Date.now()
    cells.a1.server.signal('SIGKILL')
    await cells.a1.server.ended
    const [broken] = (await response) as [IncomingMessage]
    expect([broken.statusCode, await json(broken)]).toMatchObject([502, { statusCode: 502 }])
    await untilAway(killed)
    await cells.a1.start()
    await untilAccepted(killed, Date.now())
    const answers = await finish([{ name: 'the server', atMs, backMs: atMs, delivers: true }])
    console.log(describeErrors(answers))
    expectUsualErrors(answers, [202, 409, 503])
  })

  /** Sends a request without its body, which its cell has begun to read. Resolves to a promise of its response. */
  async function beginRequest() {
    const { a1, authority, balancer } = cells
    const asked = requestHttps({
      ...{ host: '127.0.0.1', port: balancer.port, servername: API_HOST, ca: authority.cert, agent: false },
      ...{ method: 'POST', path: '/domains' },
      headers: {
        authorization: `Bearer ${a1.sender.token}`,
        'content-type': 'application/json',
        'content-length': 100,
        expect: '100-continue',
      },
    })
    const response = once(asked, 'response')
    asked.flushHeaders()
    await once(asked, 'continue')
    return { response }
  }
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

/**
 * Every email that a client knows to be accepted has arrived once; again only if a kill came between its arrival and the moment
 * at which its sender could know of it.
 */
async function expectAllArrived(
  { installation: { mx } }: Cell,
  answers: readonly Answer[],
  kills: readonly Kill[],
): Promise<void> {
  const accepted = new Set(answers.filter(({ status }) => status === 202).map(({ number }) => number))
  const haveArrived = () => (new Set(mx.stored().map(({ to }) => to)).size >= accepted.size ? true : null)
  await until('everything has arrived', LIMIT_MS, haveArrived, SLOW_POLL_MS).catch(() => {})
  const verdict = compareLedgers(answers, mx, kills)
  expect(verdict).toMatchObject({ lost: [], strange: [], unexcused: [], ambiguous: [] })
  if (kills.length === 0) expect(verdict.duplicates).toEqual([])
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
