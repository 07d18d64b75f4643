import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtps } from '../support/smtp-client.ts'
import { idOf, logIn, loginOf, submitRaw } from '../support/submission.ts'

const PORTS = { SENDWRIGHT_SUBMISSIONS_PORT: '0' }
/** A client that waits longer cannot tell whether the server is alive. */
const ANSWER_LIMIT_MS = 3000
const IN_A_WHILE = { timeout: 60_000, interval: 100 }

let service: TestSendwright
let database: DatabaseProxy
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: PORTS,
    log: createLog('silent'),
  })
  ann = await service.givenSender()
  database = await startDatabaseProxy(service.config.databaseUrl ?? '')
  await service.restart({ ...PORTS, DATABASE_URL: database.url })
})
afterAll(async () => {
  database.release()
  await service.restart(PORTS)
  database.stop()
  await service.stop()
})

/** Resolves to the reply within the limit, or else to a text with the time it took. */
async function inTime<T>(saying: Promise<T>): Promise<T | string> {
  const sinceMs = performance.now()
  const said = await saying
  const tookMs = performance.now() - sinceMs
  return tookMs <= ANSWER_LIMIT_MS ? said : `after ${Math.round(tookMs)} ms: ${said}`
}

const messageOf = (to: string, key: string) =>
  `From: ann@${ann.domain}\r\nTo: ${to}\r\nIdempotency-Key: ${key}\r\n\r\nHello`

const acceptedAs = async (submitting: Promise<string>) => {
  const answer = await submitting
  return answer.startsWith('250') ? idOf(answer) : null
}

test.each(['all', 'commits'] as const)(
  '451 in time while the database hangs (%s); a retry is accepted and delivered once',
  async (what) => {
    onTestFinished(() => database.release())
    const to = `bob@${service.givenDestination()}`
    const content = messageOf(to, `hangs-${what}`)
    const client = await logIn(service.submissionsPort, ann.token)
    const mailer = await logIn(service.submissionsPort, ann.token)
    const stranger = await openSmtps(service.submissionsPort)
    await stranger.hear()
    await stranger.codes('EHLO app.test')
    await client.codes('MAIL FROM:<a@b.test>', `RCPT TO:<${to}>`, 'DATA')
    database.hang(what)
    const answers = [inTime(client.say(`${content}\r\n.`))]
    if (what === 'all') {
      answers.push(inTime(mailer.say('MAIL FROM:<a@b.test>')))
      answers.push(inTime(stranger.say(`AUTH PLAIN ${loginOf('not seen before')}`)))
    }
    expect((await Promise.all(answers)).map(codeOf)).toEqual(
      ['451 4.3.0', '451 4.3.0', '454 4.7.0'].slice(0, answers.length),
    )
    const rows = () => service.db.query('select email_id, status from delivery where address = $1', [to])
    expect(await rows()).toHaveLength(what === 'all' ? 0 : 1)
    database.release()
    const ids: (string | null)[] = []
    const again = async () => ids.push(await acceptedAs(submitRaw(client, content, { to: [to] })))
    await expect.poll(() => client.codes('MAIL FROM:<a@b.test>'), IN_A_WHILE).toEqual(['250 2.1.0'])
    await client.say('RSET')
    await again()
    await again()
    expect(ids[1]).toBe(ids[0])
    // An email whose commit got no response is leased to a process that does not know it. Expire the lease.
    await service.db.query(
      'update delivery set leased_until = $2 where address = $1 and leased_until is not null',
      [to, new Date()],
    )
    await expect.poll(rows, IN_A_WHILE).toEqual([{ emailId: ids[0], status: 'delivered' }])
    expect(service.mx.messages.filter((message) => message.to.includes(to))).toHaveLength(1)
    expect(await mailer.codes('MAIL FROM:<a@b.test>')).toEqual(['250 2.1.0'])
    expect(await stranger.codes(`AUTH PLAIN ${loginOf(ann.token)}`)).toEqual(['235 2.7.0'])
    for (const one of [client, mailer, stranger]) one.close()
  },
)
