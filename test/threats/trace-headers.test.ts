import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { idOf, logIn, submitRaw } from '../support/submission.ts'

let service: TestSendwright
let ann: Sender

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: { SENDWRIGHT_SUBMISSION_PORT: '0', SENDWRIGHT_SUBMISSIONS_PORT: '0' },
  })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

/** Header fields that receivers and this service write, in spellings that a parser accepts. */
const FORGED = [
  ['Authentication-Results', 'mx.google.com; dkim=pass; forged'],
  ['AUTHENTICATION-RESULTS', 'mx.google.com; spf=pass; forged'],
  ['Received-SPF', 'pass (forged)'],
  ['received-spf', 'pass (forged)'],
  ['ARC-Seal', 'i=1; cv=none; forged'],
  ['ARC-Message-Signature', 'i=1; forged'],
  ['arc-authentication-results', 'i=1; forged'],
] as const
const MARK = ['X-Sendwright-Anything', 'forged'] as const

const wireOf = (id: string) =>
  service.mx.messages.find(({ raw }) => raw.includes(`${id}@`))?.raw.toString('latin1') ?? ''

/** Returns a message with each field plain and folded, and one of them in a forwarded message, which is content. */
function message(fields: readonly (readonly [string, string])[]): string {
  const plain = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  const folded = fields.map(([name, value]) => `${name}:\r\n\t${value.replaceAll(' ', '\r\n ')}\r\n`)
  return [
    ...plain,
    `From: ann@${ann.domain}\r\n`,
    ...folded,
    'Subject: x\r\nX-Kept: kept\r\nMIME-Version: 1.0\r\n',
    'Content-Type: message/rfc822\r\n\r\n',
    'From: carl@other.test\r\nAuthentication-Results: mx.other.test; nested\r\n\r\nHello.\r\n',
  ].join('')
}

function expectClean(raw: string): void {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  expect(head).toMatch(/^X-Kept: kept\r$/m)
  expect(head).not.toContain('forged')
  expect(head).not.toMatch(/^(?:authentication-results|received-spf|arc-|x-sendwright-)/im)
  expect(raw).toContain('Authentication-Results: mx.other.test; nested')
}

describe('forged fields never reach an independent server:', () => {
  test.each([...FORGED, MARK])('422 for the header %s in JSON', async (name, value) => {
    const { status, json } = await ann.post('/emails', ann.email({ headers: { [name]: value } }))
    expect([status, json.errors]).toEqual([
      422,
      { [`headers.${name}`]: [`The header ${name} is set by the service.`] },
    ])
    expect(service.mx.messages).toEqual([])
  })

  test('removed from a raw message', async () => {
    const { status, json, text } = await ann.post('/emails/mime', {
      envelope_from: `ann@${ann.domain}`,
      envelope_to: `bob@${service.givenDestination()}`,
      raw_message: message([...FORGED, MARK]),
    })
    expect(status, text).toBe(202)
    await ann.settled(json.id)
    expectClean(wireOf(json.id))
  })

  test('removed from a submitted message', async () => {
    const client = await logIn(service.submissionsPort, ann.token)
    const answer = await submitRaw(client, message(FORGED), { to: [`bob@${service.givenDestination()}`] })
    client.close()
    await ann.settled(idOf(answer))
    expectClean(wireOf(idOf(answer)))
  })

  test('554 for an unknown X-Sendwright field in a submitted message', async () => {
    const before = service.mx.messages.length
    const client = await logIn(service.submissionsPort, ann.token)
    const answer = await submitRaw(client, message([MARK]), { to: [`bob@${service.givenDestination()}`] })
    client.close()
    expect(answer).toMatch(/^554 5\.6\.0 There is no field x-sendwright-anything\./)
    expect(service.mx.messages).toHaveLength(before)
  })
})
