import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSendwright } from '../../src/app/start/start-sendwright.ts'
import { CannotStart } from '../../src/lib/cannot-start.ts'
import { createLog } from '../../src/lib/log.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { codeOf, openSmtp, openSmtps } from '../support/smtp-client.ts'
import { idOf, logIn, loginOf, submitRaw } from '../support/submission.ts'

const PORTS = {
  SENDWRIGHT_SUBMISSION_PORT: '0',
  SENDWRIGHT_SUBMISSIONS_PORT: '0',
  SENDWRIGHT_INBOUND_PORT: '0',
}
let service: TestSendwright
let ann: Sender
let database: DatabaseProxy | undefined
let stopped: Promise<void> | undefined

/** Stops the service once: by the last test, or after a failure. */
function stop(): Promise<void> {
  stopped ??= service?.stop().finally(() => database?.stop())
  return stopped
}

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: PORTS,
    log: createLog('silent'),
  })
  ann = await service.givenSender()
})
afterAll(() => stop())

test('250 for a message of 37,500,000 bytes, 552 when SIZE declares one byte more', async () => {
  const client = await logIn(service.submissionsPort, ann.token)
  const header = `From: ann@${ann.domain}\r\nSubject: large\r\n\r\n`
  const line = `${'x'.repeat(98)}\r\n`
  const room = 37_500_000 - header.length
  const body = line.repeat(Math.floor(room / 100)) + 'y'.repeat((room % 100) - 2)
  const to = ['delivered@simulator.test']
  const answer = await submitRaw(client, header + body, { to })
  // The list leaves out the content, which one request after another would read.
  const read = async () => (await ann.get('/emails')).json.data[0]
  await expect.poll(read).toMatchObject({ id: idOf(answer), subject: 'large', status: 'delivered' })
  expect(await client.codes('MAIL FROM:<a@b.test> SIZE=37500001')).toEqual(['552 5.3.4'])
  client.close()
})

test('CannotStart for a configured port that is in use', async () => {
  const { submissionPort } = service
  const config = { ...service.config, submissionPort: { port: submissionPort, isSet: true } }
  const other = startSendwright(config, { roles: ['inbound'], log: createLog('silent') })
  await expect(other).rejects.toBeInstanceOf(CannotStart)
  await expect(other).rejects.toThrow(`Port ${submissionPort} is in use; set SENDWRIGHT_SUBMISSION_PORT`)
})

test('451 and 454 while the database is unavailable, and 250 when it is back', async () => {
  const proxy = await startDatabaseProxy(service.config.databaseUrl ?? '')
  database = proxy
  await service.restart({ ...PORTS, DATABASE_URL: proxy.url })
  const client = await logIn(service.submissionsPort, ann.token)
  const content = `From: ann@${ann.domain}\r\n\r\nHello`
  expect(codeOf(await submitRaw(client, content))).toBe('250 2.0.0')
  await client.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA')
  proxy.stop()
  expect(await client.say(`${content}\r\n.`)).toMatch(/^451 4\.3\.0 The service is temporarily unavailable/)
  const other = await openSmtps(service.submissionsPort)
  await other.hear()
  expect(await other.codes('EHLO x', `AUTH PLAIN ${loginOf('not seen before')}`)).toEqual([
    '250',
    '454 4.7.0',
  ])
  await proxy.start()
  await expect.poll(() => client.codes('MAIL FROM:<a@b.test>')).toEqual(['250 2.1.0'])
  await client.say('RSET')
  await expect.poll(async () => codeOf(await submitRaw(client, content))).toBe('250 2.0.0')
  client.close()
  other.close()
})

test('421 for idle connections when the service stops, and every listener closes, while a message in progress is finished', async () => {
  const idle = await logIn(service.submissionsPort, ann.token)
  const client = await logIn(service.submissionsPort, ann.token)
  await client.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<delivered@simulator.test>', 'DATA')
  const { url, submissionPort, submissionsPort, inboundPort } = service
  const ports = [Number(new URL(url).port), submissionPort, submissionsPort, inboundPort]
  const end = stop()
  expect(codeOf(await idle.hear())).toBe('421 4.3.2')
  const isShut = (port: number) =>
    openSmtp(port).then(
      (one) => {
        one.close()
        return false
      },
      (error: Error) => error.message.includes('ECONNREFUSED'),
    )
  await expect
    .poll(async () => Promise.all(ports.map(isShut)), { timeout: 60_000 })
    .toEqual(ports.map(() => true))
  client.write(`From: ann@${ann.domain}\r\n\r\nHello`)
  expect(codeOf(await client.say('\r\n.'))).toBe('250 2.0.0')
  client.close()
  idle.close()
  await end
})
