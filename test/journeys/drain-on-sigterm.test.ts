import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionInfo } from '../../src/db/embedded/embedded-postgres.ts'
import { isFull, seedOfToday } from '../support/thorough.ts'
import { type Child, SLOW_POLL_MS, until } from './support/children.ts'
import { startClients } from './support/clients.ts'
import {
  createInstallation,
  type Installation,
  postJson,
  START_LIMIT_MS,
  STARTED,
} from './support/installation.ts'
import { compareLedgers, countDeliveries } from './support/verdict.ts'
import { untilGone, workersOf } from './support/workers.ts'

/**
 * The time that the receiving server takes for each message, so that SMTP sessions are always in progress when the
 * signal arrives.
 */
const MX_TAKES_MS = 100
/** One process, and a supervisor with workers, which is stopped less often. Each on every second day; both in full. */
const SERVERS = [
  { workers: 1, emails: isFull ? 1500 : 600, stops: isFull ? 3 : 2 },
  { workers: 3, emails: isFull ? 600 : 350, stops: 1 },
].filter((_, index) => isFull || (index + seedOfToday()) % 2 === 0)
/** Far below the 60 s of a lease: deliveries that were not started are released, not left to expire. */
const DELIVERED_LIMIT_MS = 45_000

describe.each(SERVERS)('workers: $workers', ({ workers, emails, stops }) => {
  let installation: Installation
  let server: Child
  beforeAll(async () => {
    installation = await createInstallation()
    await start()
  }, START_LIMIT_MS)
  afterAll(() => installation.remove())

  async function start(): Promise<void> {
    server = installation.serve({ environment: { SENDWRIGHT_WORKERS: `${workers}` } })
    await server.waitForLine(STARTED, START_LIMIT_MS)
  }

  test('exit code 0 within 30 s of SIGTERM under load; nothing is lost or sent twice', {
    timeout: 300_000,
  }, async () => {
    const { mx, directory } = installation
    await mx.start(MX_TAKES_MS)
    const clients = startClients(directory, {
      urls: [installation.url],
      senders: [await installation.createSender('one.sender.test')],
      destinations: installation.destinations,
      clients: 8,
      emails,
      everyMs: 40,
    })

    for (let stop = 1; stop <= stops; stop++) {
      const before = mx.stored().length
      const isFlowing = () => (mx.stored().length > before + 150 ? true : null)
      await until('mail flows', START_LIMIT_MS, isFlowing, SLOW_POLL_MS)
      server.signal('SIGTERM')
      // By its own clock, the server exits after 30 s at the latest, and then with code 1.
      expect(await server.ended).toBe(0)
      await start()
    }
    await clients.process.waitForLine('all accepted', START_LIMIT_MS)

    const databaseUrl = connectionInfo(join(directory, 'data')) as string
    const areDelivered = async () => ((await countDeliveries(databaseUrl)).delivered === emails ? true : null)
    await until('all are delivered', DELIVERED_LIMIT_MS, areDelivered, SLOW_POLL_MS).catch(() => {})
    expect(compareLedgers(clients.answers(), mx, [])).toMatchObject({
      acceptedCount: emails,
      lost: [],
      strange: [],
      duplicates: [],
      ambiguous: [],
    })
    expect(await countDeliveries(databaseUrl)).toEqual({ delivered: emails })
    // Each accepted request got its response: no client had to retry for the same id.
    const answered = clients.answers().filter(({ status }) => status === 202)
    expect(answered.length).toBe(emails)
  })

  test('exits at the second SIGTERM while an SMTP session hangs, and so do its workers', {
    timeout: 120_000,
  }, async () => {
    const everyWorker = workersOf(server)
    expect(everyWorker).toHaveLength(workers === 1 ? 0 : workers)
    const { mx } = installation
    await mx.kill()
    await mx.start('hold')
    const sender = await installation.createSender('two.sender.test')
    const reply = await postJson(installation.url, '/emails', sender.token, {
      from: sender.from,
      to: `person-0@${installation.destinations[0]}`,
      subject: 'Order 0',
      text: 'Thank you.',
    })
    expect(reply.status).toBe(202)
    await until('it is on the wire', START_LIMIT_MS, () => (mx.heldCount() > 0 ? true : null))

    server.signal('SIGTERM')
    await server.waitForLine('stopping after', 10_000)
    const signaledMs = performance.now()
    // Two signals within half a second count as one, because a terminal and npm both forward Ctrl-C.
    const again = setInterval(() => {
      if (performance.now() - signaledMs > 600) server.signal('SIGTERM')
    }, 50)
    const code = await server.ended
    clearInterval(again)
    expect(code).toBe(1)
    // The end of the 30 s drain would log another reason.
    await server.waitForLine('SIGTERM again', 10_000)
    await untilGone(everyWorker)
  })
})
