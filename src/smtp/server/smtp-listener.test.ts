import { describe, expect, test } from 'vitest'
import { codeOf, openSmtp, openSmtps } from '../../../test/support/smtp-client.ts'
import { greeted, startListener as start } from '../../../test/support/smtp-listener.ts'
import { reply } from './smtp-types.ts'

test('250 for a message, its content unchanged, with any pipelining', async () => {
  const { listener, messages } = await start()
  const client = await greeted(listener)
  client.write(
    'MAIL FROM:<a@b.test> SIZE=20 BODY=8BITMIME\r\nRCPT TO:<c@d.test>\r\nRCPT TO:<no@d.test>\r\nDATA\r\n',
  )
  const codes = [await client.hear(), await client.hear(), await client.hear(), await client.hear()].map(
    codeOf,
  )
  expect(codes).toEqual(['250 2.1.0', '250 2.1.5', '550 5.1.1', '354'])
  client.write('Subject: x\r\n\r\n..dot\r\n\xff\n.\n\r\n.\r\nNOOP\r\nMAIL FROM:<>\r\n')
  expect(await client.hear()).toBe('250 2.0.0 kept')
  expect(await client.codes('RSET')).toEqual(['250 2.0.0'])
  expect(messages).toHaveLength(1)
  expect(messages[0]?.content).toBe('Subject: x\r\n\r\n.dot\r\n\xc3\xbf\n.\n\r\n')
  expect(messages[0]?.envelope.recipients.map(({ address }) => address)).toEqual(['c@d.test'])
  client.close()
})

test('EHLO lists the extensions: AUTH only with TLS, STARTTLS only before TLS', async () => {
  const { listener } = await start({ isAuthRequired: true, limits: { messageBytesMax: 12_345 } })
  const plain = await openSmtp(listener.port)
  await plain.hear()
  const before = await plain.say('EHLO client.test')
  expect(before?.split('\n').map((line) => line.slice(4))).toEqual([
    'mail.sendwright.test',
    'PIPELINING',
    'SIZE 12345',
    '8BITMIME',
    'SMTPUTF8',
    'ENHANCEDSTATUSCODES',
    'STARTTLS',
  ])
  expect(await plain.codes('STARTTLS')).toEqual(['220 2.0.0'])
  const client = await plain.secure()
  expect(await client.codes('MAIL FROM:<a@b.test>')).toEqual(['503 5.5.1'])
  expect(await client.say('EHLO client.test')).toMatch(/AUTH PLAIN LOGIN$/)
  expect(await client.codes('STARTTLS')).toEqual(['503 5.5.1'])
  client.close()
})

test('a client that logs in may have blanks in its name or none, and paths without brackets', async () => {
  const { listener, messages } = await start({ isAuthRequired: true })
  const plain = await openSmtp(listener.port)
  await plain.hear()
  await plain.say('STARTTLS')
  const client = await plain.secure()
  const login = `AUTH PLAIN ${Buffer.from('\0any\0right').toString('base64')}`
  expect(await client.codes('EHLO', 'HELO my computer', 'EHLO  my computer', login)).toEqual([
    ...['250', '250', '250', '235 2.7.0'],
  ])
  expect(
    await client.codes(
      ...[
        'MAIL FROM:a@b.test SIZE=1',
        'RCPT TO: c@d.test',
        'RCPT TO:e@f.test NOTIFY=NEVER',
        'RCPT TO:c@d.test>',
      ],
      ...['RCPT TO:c', 'RCPT TO:c d@e.test', 'RCPT TO:"c d"@e.test', 'DATA'],
    ),
  ).toEqual([
    ...['250 2.1.0', '250 2.1.5', '250 2.1.5', '501 5.5.2', '501 5.5.2', '501 5.5.2', '501 5.5.2', '354'],
  ])
  client.write('Subject: x\r\n\r\n.\r\n')
  await client.hear()
  expect(messages[0]?.envelope.sender.address).toBe('a@b.test')
  expect(messages[0]?.envelope.recipients.map(({ address }) => address)).toEqual(['c@d.test', 'e@f.test'])
  client.close()
})

describe('AUTH', () => {
  const token = Buffer.from('\0any\0right').toString('base64')
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  test.each([
    ['PLAIN with an initial response', [`AUTH PLAIN ${token}`], ['235 2.7.0']],
    ['PLAIN in two lines', ['AUTH PLAIN', token], ['334', '235 2.7.0']],
    ['LOGIN', ['AUTH LOGIN', base64('any'), base64('right')], ['334', '334', '235 2.7.0']],
    ['LOGIN with the user at once', [`auth login ${base64('any')}`, base64('right')], ['334', '235 2.7.0']],
    ['a wrong password', [`AUTH PLAIN ${base64('\0any\0wrong')}`], ['535 5.7.8']],
    ['an abort', ['AUTH LOGIN', '*'], ['334', '501 5.7.0']],
    ['invalid base64', ['AUTH PLAIN !!!'], ['501 5.5.2']],
    ['no password', [`AUTH PLAIN ${base64('\0any\0')}`], ['501 5.5.2']],
    ['another mechanism', ['AUTH CRAM-MD5'], ['504 5.5.4']],
    ['an over-long line', [`AUTH PLAIN ${'A'.repeat(13_000)}`], ['500 5.5.2']],
  ])('%s', async (_, lines, codes) => {
    const { listener, messages } = await start({ isAuthRequired: true, isImplicitTls: true })
    const client = await openSmtps(listener.port)
    await client.hear()
    expect(await client.codes('EHLO client.test', 'MAIL FROM:<a@b.test>')).toEqual(['250', '530 5.7.0'])
    expect(await client.codes(...lines)).toEqual(codes)
    const isIn = codes.at(-1)?.startsWith('235') ?? false
    expect(await client.codes('MAIL FROM:<a@b.test>')).toEqual([isIn ? '250 2.1.0' : '530 5.7.0'])
    expect(messages).toEqual([])
    client.close()
  })

  test('530 before TLS, without a check of the credentials', async () => {
    const { listener, logins } = await start({ isAuthRequired: true })
    const client = await greeted(listener)
    expect(await client.codes(`AUTH PLAIN ${token}`, 'MAIL FROM:<a@b.test>')).toEqual([
      '530 5.7.0',
      '530 5.7.0',
    ])
    expect(logins).toEqual([])
    client.close()
  })

  test('502 if the listener does not require it', async () => {
    const { listener } = await start()
    const client = await greeted(listener)
    expect(await client.codes(`AUTH PLAIN ${token}`)).toEqual(['502 5.5.1'])
    client.close()
  })
})

describe('refused', () => {
  test.each([
    ['MAIL before EHLO', ['MAIL FROM:<a@b.test>'], '503 5.5.1'],
    ['RCPT before MAIL', ['EHLO x', 'RCPT TO:<a@b.test>'], '503 5.5.1'],
    ['DATA before RCPT', ['EHLO x', 'MAIL FROM:<a@b.test>', 'DATA'], '503 5.5.1'],
    ['MAIL twice', ['EHLO x', 'MAIL FROM:<a@b.test>', 'MAIL FROM:<a@b.test>'], '503 5.5.1'],
    [
      'MAIL after the only recipient was refused',
      ['EHLO x', 'MAIL FROM:<>', 'RCPT TO:<no@b.test>', 'DATA'],
      '503 5.5.1',
    ],
    ['an unknown command', ['EHLO x', 'BDAT 10'], '500 5.5.1'],
    ['no brackets', ['EHLO x', 'MAIL FROM:a@b.test'], '501 5.5.2'],
    ['a path that goes on', ['EHLO x', 'MAIL FROM:<a@b.test>x'], '501 5.5.2'],
    ['a space in the path', ['EHLO x', 'MAIL FROM:<a b@b.test>'], '501 5.5.2'],
    ['an unknown parameter', ['EHLO x', 'MAIL FROM:<a@b.test> SOLICIT=x'], '555 5.5.4'],
    ['a parameter named like a method', ['EHLO x', 'MAIL FROM:<a@b.test> constructor=x'], '555 5.5.4'],
    ['a parameter with = in its value', ['EHLO x', 'MAIL FROM:<a@b.test> ENVID=a=b'], '501 5.5.4'],
    ['a parameter twice', ['EHLO x', 'MAIL FROM:<a@b.test> SIZE=1 SIZE=1'], '501 5.5.4'],
    ['a bad SIZE', ['EHLO x', 'MAIL FROM:<a@b.test> SIZE=-1'], '501 5.5.4'],
    ['a SIZE over the limit', ['EHLO x', 'MAIL FROM:<a@b.test> SIZE=37500001'], '552 5.3.4'],
    ['UTF-8 without SMTPUTF8', ['EHLO x', 'MAIL FROM:<grüße@b.test>'], '553 5.6.7'],
    ['a UTF-8 recipient without it', ['EHLO x', 'MAIL FROM:<a@b.test>', 'RCPT TO:<ü@b.test>'], '553 5.6.7'],
    [
      'a bad NOTIFY',
      ['EHLO x', 'MAIL FROM:<a@b.test>', 'RCPT TO:<a@b.test> NOTIFY=NEVER,DELAY'],
      '501 5.5.4',
    ],
    ['a command line of 513 octets', [`NOOP ${'x'.repeat(506)}`], '500 5.5.2'],
    ['a MAIL line of 1,001 octets', ['EHLO x', `MAIL FROM:<a@b.test> ENVID=${'x'.repeat(973)}`], '500 5.5.2'],
    ['a line of 20,000 octets', [`NOOP ${'x'.repeat(20_000)}`], '500 5.5.2'],
    ['a tab', ['EHLO x\ty'], '500 5.5.2'],
    ['EHLO with nothing', ['EHLO'], '501 5.5.4'],
    ['an HTTP request line', ['GET / HTTP/1.1'], '421 4.7.0'],
    ['an HTTP body', ['POST /x HTTP/1.1'], '421 4.7.0'],
  ])('%s', async (_, lines, code) => {
    const { listener } = await start()
    const client = await openSmtp(listener.port)
    await client.hear()
    expect((await client.codes(...lines)).at(-1)).toBe(code)
    client.close()
  })

  test.each([
    ['NOOP\n', '500 5.5.2'],
    ['NOOP\r\r\n', '500 5.5.2'],
    ['NO\0OP\r\n', '500 5.5.2'],
  ])('%j, which is not a valid line', async (bytes, code) => {
    const { listener } = await start()
    const client = await greeted(listener)
    client.write(bytes)
    expect(codeOf(await client.hear())).toBe(code)
    expect(await client.codes('NOOP')).toEqual(['250 2.0.0'])
    client.close()
  })

  test.each([
    ['quoted', 'MAIL FROM:<"a> b"@c.test> SIZE=1', '"a> b"@c.test'],
    ['after a space', 'MAIL FROM: <a@b.test>', 'a@b.test'],
    ['null', 'mail from:<>', ''],
    ['UTF-8', 'MAIL FROM:<grüße@b.test> SMTPUTF8', 'grüße@b.test'],
    ['with DSN', 'MAIL FROM:<a@b.test> RET=HDRS ENVID=x+2By', 'a@b.test'],
  ])('never: a path that is %s', async (_, line, address) => {
    const { listener, messages } = await start()
    const client = await greeted(listener)
    client.write(`${line}\r\nRCPT TO:<c@d.test> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;c+40d.test\r\nDATA\r\n`)
    for (const code of ['250 2.1.0', '250 2.1.5', '354']) expect(codeOf(await client.hear())).toBe(code)
    expect(await client.codes('x\r\n.')).toEqual(['250 2.0.0'])
    expect(messages[0]?.envelope.sender.address).toBe(address)
    client.close()
  })
})

test('554 and disconnect for a client that speaks before the greeting', async () => {
  const { listener } = await start({ limits: { greetingDelayMs: 500 } })
  const client = await openSmtp(listener.port)
  client.write('EHLO early.test\r\n')
  expect(codeOf(await client.hear())).toBe('554 5.5.1')
  expect(await client.hear()).toBeNull()
})

describe('554, disconnect and no message for content that does not wait for the 354', () => {
  const group = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<c@d.test>\r\nDATA\r\n'

  test('in the same write', async () => {
    const { listener, messages } = await start()
    const client = await greeted(listener)
    client.write(`${group}Subject: x\r\n\r\nx\r\n.\r\n`)
    expect([await client.hear(), await client.hear(), await client.hear()].map(codeOf)).toEqual([
      '250 2.1.0',
      '250 2.1.5',
      '554 5.5.0',
    ])
    expect(await client.hear()).toBeNull()
    expect(messages).toEqual([])
  })

  test('after a rejected DATA: none of it is read as commands', async () => {
    const { listener, messages } = await start()
    const client = await greeted(listener)
    client.write(`MAIL FROM:<a@b.test>\r\nRCPT TO:<no@d.test>\r\nDATA\r\n${group}`)
    expect([await client.hear(), await client.hear(), await client.hear()].map(codeOf)).toEqual([
      '250 2.1.0',
      '550 5.1.1',
      '554 5.5.0',
    ])
    expect(await client.hear()).toBeNull()
    expect(messages).toEqual([])
  })
})

test('421, without running commands that were pipelined after STARTTLS', async () => {
  const { listener, messages } = await start()
  const client = await greeted(listener)
  client.write('STARTTLS\r\nMAIL FROM:<evil@b.test>\r\n')
  expect(codeOf(await client.hear())).toBe('421 4.7.0')
  expect(await client.hear()).toBeNull()
  expect(messages).toEqual([])
})

test('disconnect for plain text in place of the TLS handshake', async () => {
  const { listener } = await start()
  const client = await greeted(listener)
  expect(await client.codes('STARTTLS')).toEqual(['220 2.0.0'])
  client.write('MAIL FROM:<evil@b.test>\r\nRCPT TO:<a@b.test>\r\n')
  // A TLS alert may arrive, but no reply.
  expect(await client.rest()).not.toMatch(/250/)
})

test('the transaction and the greeting are forgotten when TLS begins', async () => {
  const { listener } = await start()
  const plain = await greeted(listener)
  expect(await plain.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'STARTTLS')).toEqual([
    '250 2.1.0',
    '250 2.1.5',
    '220 2.0.0',
  ])
  const client = await plain.secure()
  expect(await client.codes('DATA', 'EHLO x', 'DATA')).toEqual(['503 5.5.1', '250', '503 5.5.1'])
  client.close()
})

test('451 for an internal error, and the connection continues', async () => {
  const { listener } = await start({}, { onMessage: () => Promise.reject(new Error('broken')) })
  const client = await greeted(listener)
  const codes = await client.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA', 'x\r\n.', 'NOOP')
  expect(codes.slice(-2)).toEqual(['451 4.3.0', '250 2.0.0'])
  client.close()
})

test('a message in progress is finished and answered when the listener closes, an idle connection gets 421', async () => {
  const gate = Promise.withResolvers<void>()
  const { listener } = await start(
    { limits: { closeTimeoutMs: 5_000 } },
    {
      async onMessage() {
        await gate.promise
        return reply(250, '2.0.0', 'kept')
      },
    },
  )
  const busy = await greeted(listener)
  const idle = await greeted(listener)
  await busy.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  busy.write('x\r\n.\r\n')
  const closed = listener.close()
  expect(codeOf(await idle.hear())).toBe('421 4.3.2')
  gate.resolve()
  expect(codeOf(await busy.hear())).toBe('250 2.0.0')
  expect(codeOf(await busy.hear())).toBe('421 4.3.2')
  busy.close()
  idle.close()
  await closed
})
