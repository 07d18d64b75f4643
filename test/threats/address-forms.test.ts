import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { logIn } from '../support/submission.ts'

let service: TestSendwright
let ann: Sender
let no = 0

beforeAll(async () => {
  service = await startTestSendwright({
    // Nothing is due.
    roles: ['api', 'inbound'],
    environment: { SENDWRIGHT_SUBMISSION_PORT: '0', SENDWRIGHT_SUBMISSIONS_PORT: '0' },
  })
  ann = await service.givenSender()
})
afterAll(() => service?.stop())

const LATER = new Date(Date.now() + 24 * 3_600_000).toISOString()
type Answers = Record<string, boolean>

/** Returns whether the API accepts the request (2xx) or rejects it (422). Nothing else is allowed. */
async function takes(path: string, body: Record<string, unknown>): Promise<boolean> {
  const { status, text } = await ann.post(path, body)
  expect([200, 201, 202, 422], text).toContain(status)
  return status !== 422
}

const takesEmail = (fields: Record<string, unknown>) =>
  takes('/emails', ann.email({ to: 'bob@to.test', scheduled_at: LATER, ...fields }))

const takesRaw = (header: string, fields: Record<string, unknown> = {}) =>
  takes('/emails/mime', {
    envelope_from: `ann@${ann.domain}`,
    envelope_to: 'bob@to.test',
    raw_message: `${header}\r\nSubject: x\r\n\r\nx\r\n`,
    ...fields,
  })

/** Returns whether the submission port accepts the message. */
async function takesSubmitted(header: string, to = 'bob@to.test'): Promise<boolean> {
  const client = await logIn(service.submissionsPort, ann.token)
  const later = `X-Sendwright-Scheduled-At: ${LATER}`
  const [mail, rcpt, data] = await client.codes('MAIL FROM:<> SMTPUTF8', `RCPT TO:<${to}>`, 'DATA')
  expect(mail).toBe('250 2.1.0')
  const isRefusedAtRcpt = rcpt?.startsWith('5') === true
  expect(data).toBe(isRefusedAtRcpt ? '503 5.5.1' : '354')
  const [code] = isRefusedAtRcpt
    ? [rcpt]
    : await client.codes(`${later}\r\n${header}\r\nSubject: x\r\n\r\nx\r\n.`)
  client.close()
  return code === '250 2.0.0'
}

/** Returns the result of each input for an address with this local part. */
async function tryAddress(local: string): Promise<Answers> {
  const own = `${local}@${ann.domain}`
  const other = `${local}@to.test`
  const plain = `From: ann@${ann.domain}`
  const { json: checked } = await ann.post('/emails/validate', { email: other })
  return {
    'to in JSON': await takesEmail({ to: other }),
    'cc in JSON': await takesEmail({ cc: [`Name <${other}>`] }),
    'bcc in JSON': await takesEmail({ bcc: other }),
    'reply_to in JSON': await takesEmail({ reply_to: other }),
    'from in JSON': await takesEmail({ from: own }),
    'from with a name in JSON': await takesEmail({ from: `Name <${own}>` }),
    'reply_to of a template': await takes('/templates', {
      name: `t${no++}`,
      from: `ann@${ann.domain}`,
      subject: 'x',
      text: 'x',
      reply_to: other,
    }),
    contacts: await takes('/contacts', { email: other }),
    suppressions: await takes('/suppressions', { email: `${local}@list.test` }),
    validation: checked.evaluations.has_valid_syntax,
    'envelope_from of a raw message': await takesRaw(plain, { envelope_from: own }),
    'envelope_to of a raw message': await takesRaw(plain, { envelope_to: other }),
    'From of a raw message': await takesRaw(`From: ${own}`),
    'Sender of a raw message': await takesRaw(`${plain}\r\nSender: Name <${own}>`),
    'RCPT of SMTP': await takesSubmitted(plain, other),
    'From by SMTP': await takesSubmitted(`From: Name <${own}>`),
  }
}

/** Returns the result of each input for a display name. */
async function tryName(name: string): Promise<Answers> {
  const quoted = `"${name.replace(/[\\"]/g, '\\$&')}"`
  const encoded = `=?utf-8?b?${Buffer.from(name).toString('base64')}?=`
  const own = `<ann@${ann.domain}>`
  const { json: domains } = await ann.get('/domains')
  return {
    'to in JSON': await takesEmail({ to: `${quoted} <bob@to.test>` }),
    'cc in JSON': await takesEmail({ cc: `${quoted} <bob@to.test>` }),
    'reply_to in JSON': await takesEmail({ reply_to: [`${quoted} <bob@to.test>`] }),
    'from in JSON': await takesEmail({ from: `${quoted} ${own}` }),
    'name of a sender': await takes('/senders', {
      name,
      username: `u${no++}`,
      domain_id: domains.data[0].id,
    }),
    'from of a template': await takes('/templates', {
      name: `t${no++}`,
      from: `${quoted} <new${no}@${ann.domain}>`,
      subject: 'x',
      text: 'x',
    }),
    'From of a raw message': await takesRaw(`From: ${quoted} ${own}`),
    'encoded From of a raw message': await takesRaw(`From: ${encoded} ${own}`),
    'From by SMTP': await takesSubmitted(`From: ${quoted} ${own}`),
    'encoded From by SMTP': await takesSubmitted(`From: ${encoded} ${own}`),
  }
}

const all = (answers: Answers, answer: boolean): Answers =>
  Object.fromEntries(Object.keys(answers).map((entrance) => [entrance, answer]))

describe('the same result at every input for an address whose local part is', () => {
  test.each([
    ['plain', 'ann.lee+x', true],
    ['UTF-8', 'jörg', true],
    ['quoted', '"a..b"', true],
    ['quoted, with a space', '"a b"', true],
    ['an encoded word', '=?utf-8?q?eve=40evil.test?=', false],
    ['what only begins like one', 'a=?b', true],
    ['an encoded word without its end', '=?utf-8?q?eve', false],
    ['quoted, with another address', '"eve@evil.test"', false],
    ['quoted, with an escaped @', '"eve\\@evil.test"', false],
    ['quoted, with brackets', '"<eve>"', false],
    ['quoted, with a comma', '"a,b"', false],
    ['with a full-width @', 'eve\uff20evil.test', false],
    ['with a small @', 'eve\ufe6bevil.test', false],
    ['with an override of the reading direction', 'a\u202eb', false],
    ['with an isolate', 'a\u2066b', false],
    ['with a right-to-left mark', 'a\u200fb', false],
    ['with an Arabic letter mark', 'a\u061cb', false],
    ['with a dot at its end', 'a.', false],
    ['with a comment', 'a(b)', false],
  ])('%s', { timeout: 240_000 }, async (_, local, isTaken) => {
    const answers = await tryAddress(local)
    expect(answers).toEqual(all(answers, isTaken))
  })
})

describe('the same result at every input for a display name', () => {
  test.each([
    ['plain', 'Ann Lee', true],
    ['in Hebrew', '\u05d0\u05e0\u05d4', true],
    ['of an emoji with a joiner', '\u{1f469}\u200d\u{1f4bb}', true],
    ['with a comma and an @', 'Lee, Ann @ Acme', true],
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'].map(
      (one): [string, string, boolean] => [
        `with U+${one.charCodeAt(0).toString(16)}`,
        `Ann${one}tset`,
        false,
      ],
    ),
    ['with a left-to-right mark', 'Ann\u200e', false],
    ['with a right-to-left mark', '\u200fAnn', false],
    ['with an Arabic letter mark', 'Ann\u061c', false],
    ['with a full-width @', 'ceo\uff20bank.test', false],
    ['with a small @', 'ceo\ufe6bbank.test', false],
    ['with an address in brackets', '<ceo@bank.test>', false],
    ['with a line separator', 'Ann\u2028', false],
  ] as [string, string, boolean][])('%s', { timeout: 240_000 }, async (_, name, isTaken) => {
    const answers = await tryName(name)
    expect(answers).toEqual(all(answers, isTaken))
  })
})

describe('422 for invalid display names in To, Cc and Reply-To of a raw message, plain and encoded:', () => {
  const encode = (text: string) => `=?utf-8?b?${Buffer.from(text).toString('base64')}?=`

  test.each(['To', 'cc', 'REPLY-TO'])('%s', async (field) => {
    for (const text of ['a\u202eb', 'ceo\uff20bank.test']) {
      for (const name of [`"${text}"`, encode(text)]) {
        const header = `From: ann@${ann.domain}\r\n${field}: ${name} <bob@to.test>`
        expect(await takesRaw(header), name).toBe(false)
        expect(await takesSubmitted(header), name).toBe(false)
      }
    }
    expect(await takesRaw(`From: ann@${ann.domain}\r\n${field}: ${encode('Jörg')} <bob@to.test>`)).toBe(true)
  })
})

describe('spaces around an address', () => {
  const spaced = (address: string) => `  ${address} `

  test('are ignored at every input, and POST /emails and /emails/validate agree', async () => {
    const answers = {
      to: await takesEmail({ to: spaced('bob@to.test') }),
      from: await takesEmail({ from: spaced(`ann@${ann.domain}`) }),
      'reply_to with a name': await takesEmail({ reply_to: spaced('Bob <bob@to.test>') }),
      contacts: await takes('/contacts', { email: spaced('bob@to.test') }),
      suppressions: await takes('/suppressions', { email: spaced('x@to.test') }),
      envelope: await takesRaw(`From: ann@${ann.domain}`, { envelope_to: spaced('bob@to.test') }),
      From: await takesRaw(`From:   ann@${ann.domain}  `),
      validation: (await ann.post('/emails/validate', { email: spaced('bob@to.test') })).json.evaluations
        .has_valid_syntax,
    }
    expect(answers).toEqual(all(answers, true))
  })

  test.each(['\t', '\n', '\u00a0', '\u3000', '\ufeff'])(
    'do not include other white space: %j',
    async (space) => {
      const address = `bob@to.test${space}`
      const answers = {
        to: await takesEmail({ to: address }),
        contacts: await takes('/contacts', { email: address }),
        suppressions: await takes('/suppressions', { email: address }),
        envelope: await takesRaw(`From: ann@${ann.domain}`, { envelope_to: address }),
        validation: (await ann.post('/emails/validate', { email: address })).json.evaluations
          .has_valid_syntax,
      }
      expect(answers).toEqual(all(answers, false))
    },
  )
})
