import { afterEach, describe, expect, test } from 'vitest'
import { type MxOptions, type MxRow, startMx, type TestMx } from '../../test/support/mx.ts'
import { Conversation } from './conversation.ts'
import type { Envelope, SmtpConnection } from './smtp-connection.ts'
import { openSmtp } from './smtp-open.ts'
import type { OpenOptions, SendOutcome } from './smtp-types.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function given(options: MxOptions = {}, open: Partial<OpenOptions> = {}) {
  const mx = await startMx(options)
  cleanups.push(() => mx.close())
  const outcome = await openSmtp(
    { host: 'mx.test', address: mx.host, port: mx.port },
    { ehloName: 'sender.test', guard: null, tls: 'off', ...open },
  )
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  cleanups.push(() => outcome.connection.close())
  return { mx, connection: outcome.connection }
}

const BODY = Buffer.from('Subject: hello\r\nMessage-ID: <1@sender.test>\r\n\r\nHello\r\n')

async function send(connection: SmtpConnection, more: Partial<Envelope> = {}, message: Buffer[] = [BODY]) {
  const log = new Conversation()
  const size = message.reduce((sum, { length }) => sum + length, 0)
  const envelope = { from: 'bounce@sender.test', to: 'ann@rcpt.test', smtpUtf8: false, size, ...more }
  const outcome = await connection.send(envelope, message, log)
  return { outcome, log: log.lines.map(({ who, text }) => `${who} ${text}`) }
}

const linesOf = (mx: TestMx) => mx.commands.map(({ line }) => line)
const NO_PIPELINING = ['SIZE 1000000', '8BITMIME', 'ENHANCEDSTATUSCODES']

describe('accepted', () => {
  test('accepted: the server has exactly the bytes, envelope and size, and the conversation is kept without content', async () => {
    const { mx, connection } = await given()
    const { outcome, log } = await send(connection)
    expect(outcome).toMatchObject({
      stage: 'dot',
      reply: { code: 250, enhanced: '2.0.0' },
      failure: null,
      usable: true,
    })
    expect(mx.messages).toHaveLength(1)
    expect(mx.messages[0]).toMatchObject({
      from: 'bounce@sender.test',
      to: ['ann@rcpt.test'],
      mailParameters: `SIZE=${BODY.length}`,
      raw: BODY,
    })
    expect(log).toEqual([
      `C MAIL FROM:<bounce@sender.test> SIZE=${BODY.length}`,
      'C RCPT TO:<ann@rcpt.test>',
      'C DATA',
      'S 250 2.1.0 Ok',
      'S 250 2.1.5 Ok',
      'S 354 End data with <CR><LF>.<CR><LF>',
      `* ${BODY.length} bytes of message sent`,
      'S 250 2.0.0 Ok: queued',
    ])
    expect(connection).toMatchObject({
      sentCount: 1,
      alive: true,
      busy: false,
      address: '127.0.0.1',
      tls: null,
    })
  })

  test('accepted one after the other over one connection', async () => {
    const { mx, connection } = await given()
    for (let i = 0; i < 20; i++) expect((await send(connection)).outcome.reply?.code).toBe(250)
    expect(mx.messages).toHaveLength(20)
    expect(mx.connectionCount).toBe(1)
    expect(connection.sentCount).toBe(20)
  })

  test('accepted without PIPELINING: each command waits for the reply before', async () => {
    const { mx, connection } = await given({ capabilities: NO_PIPELINING })
    const { outcome, log } = await send(connection)
    expect(outcome.reply?.code).toBe(250)
    expect(mx.messages[0]?.raw.equals(BODY)).toBe(true)
    expect(log.map((line) => line[0]).join('')).toBe('CSCSCS*S')
  })

  test('accepted: lines with dots, in several pieces, arrive as they were', async () => {
    const { mx, connection } = await given()
    const text = 'Subject: x\r\n\r\n.\r\n..\r\n.a\r\nb.\r\n.\r\n'
    await send(connection, {}, [
      Buffer.from(text.slice(0, 14)),
      Buffer.from(text.slice(14, 15)),
      Buffer.from(text.slice(15)),
    ])
    expect(mx.messages[0]?.raw.toString()).toBe(text)
  })

  test('accepted: bare CR and LF leave as CRLF, and one message stays one', async () => {
    const { mx, connection } = await given()
    const trick =
      'Subject: x\n\nhi\n.\r\nMAIL FROM:<evil@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n\r.\rno\r\n'
    expect((await send(connection, {}, [Buffer.from(trick)])).outcome.reply?.code).toBe(250)
    expect((await send(connection)).outcome.reply?.code).toBe(250)
    expect(mx.messages).toHaveLength(2)
    expect(mx.messages[0]?.raw.toString()).toBe(trick.replace(/\r\n|\r|\n/g, '\r\n'))
    expect(linesOf(mx).filter((line) => line.startsWith('MAIL'))).toHaveLength(2)
  })

  test('accepted: 8-bit content is announced, UTF-8 addresses too', async () => {
    const { mx, connection } = await given()
    await send(connection, { to: 'jürgen@rcpt.test', smtpUtf8: true }, [
      Buffer.from('Subject: ü\r\n\r\nü\r\n'),
    ])
    expect(mx.messages[0]).toMatchObject({
      to: ['jürgen@rcpt.test'],
      mailParameters: 'SIZE=19 BODY=8BITMIME SMTPUTF8',
    })
  })

  test('accepted: the null reverse-path', async () => {
    const { mx, connection } = await given()
    await send(connection, { from: '' })
    expect(linesOf(mx)).toContain(`MAIL FROM:<> SIZE=${BODY.length}`)
  })

  test('accepted: a large message in pieces, to a slow reader, byte for byte', async () => {
    const { mx, connection } = await given()
    const big = Buffer.from(`Subject: big\r\n\r\n${`.${'x'.repeat(75)}\r\n`.repeat(100_000)}`)
    const { outcome } = await send(connection, {}, [BODY, big])
    expect(outcome.reply?.code).toBe(250)
    expect(mx.messages[0]?.raw.equals(Buffer.concat([BODY, big]))).toBe(true)
    expect((await send(connection)).outcome.reply?.code).toBe(250)
  })
})

describe('refused', () => {
  const rows: readonly [stage: SendOutcome['stage'], row: MxRow, code: number][] = [
    ['mail', { expect: 'MAIL', answer: '550 5.7.1 not from there', times: 1 }, 550],
    ['mail', { expect: 'MAIL', answer: '451 4.3.0 later', times: 1 }, 451],
    ['rcpt', { expect: 'RCPT', answer: '550-5.1.1 no such\r\n550 5.1.1 user', times: 1 }, 550],
    ['rcpt', { expect: 'RCPT', answer: '450 4.2.1 greylisted', times: 1 }, 450],
    ['data', { expect: 'DATA', answer: '554 5.7.1 no', times: 1 }, 554],
    ['data', { expect: 'DATA', answer: '451 4.3.0 later', times: 1 }, 451],
    ['dot', { expect: '<message>', answer: '554 5.7.1 spam', times: 1 }, 554],
    ['dot', { expect: '<message>', answer: '452 4.3.1 full', times: 1 }, 452],
  ]
  for (const capabilities of [['PIPELINING', 'SIZE'], ['SIZE']]) {
    const how = capabilities.includes('PIPELINING') ? 'pipelined' : 'one by one'
    test.each(rows)(
      `refused at %s, ${how}: the reply is kept, the next message goes through`,
      async (stage, row, code) => {
        const { mx, connection } = await given({ capabilities, script: [row] })
        const { outcome } = await send(connection)
        expect(outcome).toMatchObject({ stage, reply: { code }, failure: null, usable: true })
        expect(mx.messages).toHaveLength(0)
        expect((await send(connection)).outcome).toMatchObject({ stage: 'dot', reply: { code: 250 } })
        expect(mx.messages).toHaveLength(1)
        expect(mx.connectionCount).toBe(1)
      },
    )
  }

  test('refused at rcpt although DATA says 354: a lone dot, and no content is sent', async () => {
    const script = [
      { expect: 'RCPT', answer: '550 5.1.1 no', times: 1 },
      { expect: 'DATA', answer: '354 go on', times: 1 },
    ]
    const { mx, connection } = await given({ script })
    const { outcome } = await send(connection)
    expect(outcome).toMatchObject({ stage: 'rcpt', reply: { code: 550 }, usable: true })
    expect(mx.contents.map(({ raw }) => raw.length)).toEqual([0])
    expect((await send(connection)).outcome.reply?.code).toBe(250)
  })

  test('refused at mail although RCPT and DATA say yes: a lone dot, and the first refusal counts', async () => {
    const script = [
      { expect: 'MAIL', answer: '550 5.7.1 no', times: 1 },
      { expect: 'RCPT', answer: '250 yes', times: 1 },
      { expect: 'DATA', answer: '354 go on', times: 1 },
    ]
    const { mx, connection } = await given({ script })
    expect((await send(connection)).outcome).toMatchObject({
      stage: 'mail',
      reply: { code: 550 },
      usable: true,
    })
    expect(mx.contents.map(({ raw }) => raw.length)).toEqual([0])
  })

  test('refused recipients by address', async () => {
    const { connection } = await given({ recipients: { 'no@rcpt.test': '550 5.1.1 unknown' } })
    expect((await send(connection, { to: 'no@rcpt.test' })).outcome).toMatchObject({
      stage: 'rcpt',
      reply: { enhanced: '5.1.1' },
    })
    expect((await send(connection, { to: 'yes@rcpt.test' })).outcome).toMatchObject({ stage: 'dot' })
  })

  test('refused with what was left open: RSET goes ahead of the next MAIL, also when asked for', async () => {
    const { mx, connection } = await given({ recipients: { 'no@rcpt.test': '550 5.1.1 unknown' } })
    await send(connection, { to: 'no@rcpt.test' })
    await send(connection)
    expect(
      linesOf(mx)
        .filter((line) => /^(RSET|MAIL)/.test(line))
        .map((line) => line.slice(0, 4)),
    ).toEqual(['MAIL', 'RSET', 'MAIL'])
    await send(connection, { to: 'no@rcpt.test' })
    expect(await connection.reset()).toBe(true)
    await send(connection)
    expect(mx.messages).toHaveLength(2)
  })

  test('refused RSET: the next message is refused and the connection is done', async () => {
    const { connection } = await given({
      recipients: { 'no@rcpt.test': '550 no' },
      script: [{ expect: 'RSET', answer: '500 what' }],
    })
    await send(connection, { to: 'no@rcpt.test' })
    expect(await connection.reset()).toBe(false)
    expect(connection.alive).toBe(false)
    expect((await send(connection)).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'closed' },
      usable: false,
    })
  })
})

describe('not sent', () => {
  test.each([
    ['too_large', { size: 1_000_001 }],
    ['smtputf8_unsupported', { smtpUtf8: true }],
    ['smtputf8_unsupported', { to: 'jürgen@rcpt.test' }],
    ['smtputf8_unsupported', { from: 'ü@sender.test' }],
    ['bad_address', { to: 'a@b.test> SIZE=1' }],
    ['bad_address', { to: 'a@b.test\r\nDATA' }],
    ['bad_address', { from: 'a b@sender.test' }],
    ['bad_address', { to: '' }],
    ['bad_address', { to: '"a\u0000"@b.test' }],
  ])('not sent: %s for %j, and the server hears nothing of it', async (kind, envelope) => {
    const { mx, connection } = await given({ capabilities: ['PIPELINING', 'SIZE 1000000'] })
    const before = mx.commands.length
    const { outcome } = await send(connection, envelope)
    expect(outcome).toMatchObject({ stage: 'mail', reply: null, failure: { kind }, usable: true })
    expect((await send(connection)).outcome.reply?.code).toBe(250)
    expect(mx.commands.length - before).toBe(3)
  })

  test('not sent: 8-bit content where 8BITMIME is not offered', async () => {
    const { mx, connection } = await given({ capabilities: ['PIPELINING'] })
    const { outcome } = await send(connection, {}, [Buffer.from('Subject: x\r\n\r\nü\r\n')])
    expect(outcome).toMatchObject({ failure: { kind: 'eight_bit_unsupported' }, usable: true })
    expect(mx.messages).toHaveLength(0)
  })

  test('sent: a quoted local part travels as it is', async () => {
    const { mx, connection } = await given()
    await send(connection, { to: '"a b>\\"c"@rcpt.test' })
    expect(linesOf(mx)).toContain('RCPT TO:<"a b>\\"c"@rcpt.test>')
  })
})

describe('lost', () => {
  test('lost after the dot: the outcome says so and has no reply', async () => {
    const { mx, connection } = await given({
      script: [{ expect: '<message>', answer: null, ending: 'close' }],
    })
    expect((await send(connection)).outcome).toMatchObject({
      stage: 'dot',
      reply: null,
      failure: { kind: 'closed' },
      usable: false,
    })
    expect(mx.contents).toHaveLength(1)
    expect(connection.alive).toBe(false)
  })

  test.each([
    ['mail', 'MAIL'],
    ['rcpt', 'RCPT'],
    ['data', 'DATA'],
  ])('lost at %s', async (stage, expected) => {
    for (const ending of ['close', 'reset'] as const) {
      const { connection } = await given({
        capabilities: [],
        script: [{ expect: expected, answer: null, ending }],
      })
      expect((await send(connection)).outcome).toMatchObject({
        stage,
        reply: null,
        failure: { kind: 'closed' },
        usable: false,
      })
    }
  })

  test('lost after a refusal: the refusal counts', async () => {
    const { connection } = await given({
      script: [{ expect: 'RCPT', answer: '550 5.1.1 no', ending: 'close' }],
    })
    expect((await send(connection)).outcome).toMatchObject({
      stage: 'rcpt',
      reply: { code: 550 },
      usable: false,
    })
  })

  test.each([
    ['mail', 'MAIL'],
    ['rcpt', 'RCPT'],
    ['data', 'DATA'],
    ['dot', '<message>'],
  ])('closed by 421 at %s: the reply is kept, the connection is not', async (stage, expected) => {
    const { connection } = await given({
      script: [{ expect: expected, answer: '421 4.7.0 slow down', ending: 'close' }],
    })
    expect((await send(connection)).outcome).toMatchObject({ stage, reply: { code: 421 }, usable: false })
    expect(connection.alive).toBe(false)
  })

  test('closed by 421 in the midst of the content: kept as the reply of data', async () => {
    const { mx, connection } = await given({
      script: [{ expect: '<content>', answer: '421 4.3.2 shutting down', ending: 'close' }],
    })
    const { outcome } = await send(connection, {}, [
      BODY,
      Buffer.from('x'.repeat(70).concat('\r\n').repeat(500_000)),
    ])
    expect(outcome).toMatchObject({ usable: false })
    // The reset that the kernel sends for content nobody reads may overtake the reply.
    expect(outcome.reply?.code ?? outcome.failure?.kind).toSatisfy(
      (got: unknown) => got === 421 || got === 'closed',
    )
    expect(outcome.stage).toBe('data')
    expect(mx.messages).toHaveLength(0)
  })

  test('a success before the end of the content is believed by nobody', async () => {
    const { connection } = await given({ script: [{ expect: '<content>', answer: '250 2.0.0 thanks' }] })
    const { outcome } = await send(connection, {}, [
      BODY,
      Buffer.from('x'.repeat(70).concat('\r\n').repeat(500_000)),
    ])
    expect(outcome).toMatchObject({
      stage: 'data',
      reply: null,
      failure: { kind: 'protocol' },
      usable: false,
    })
  })

  test('a success that came with the 354 is believed by nobody', async () => {
    const { connection } = await given({
      script: [{ expect: 'DATA', answer: '354 go on\r\n250 2.0.0 thanks' }],
    })
    expect((await send(connection)).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'protocol' },
      usable: false,
    })
  })

  test.each([
    ['an answer of 250 to DATA', { expect: 'DATA', answer: '250 ok' }],
    ['an answer of 354 to the message', { expect: '<message>', answer: '354 more' }],
    ['an answer that is no reply', { expect: 'RCPT', answer: 'what?' }],
    ['an answer without end', { expect: 'RCPT', answer: Buffer.from('250-x\r\n'.repeat(1000)) }],
    ['a line without end', { expect: 'RCPT', answer: Buffer.alloc(10_000, 'x') }],
  ])('broken protocol: %s', async (_what, row) => {
    const { connection } = await given({ script: [row] })
    expect((await send(connection)).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'protocol' },
      usable: false,
    })
  })

  test('timed out: silence, and a reply that trickles in, end at the same deadline', async () => {
    const timeouts = { commandMs: 300, afterDotMs: 300 }
    for (const row of [
      { expect: 'RCPT', answer: null },
      { expect: 'RCPT', answer: '250 a very long and slow reply indeed', byteEveryMs: 50 },
      { expect: '<message>', answer: '250 a very long and slow reply indeed', byteEveryMs: 50 },
    ]) {
      const { connection } = await given({ capabilities: [], script: [row] }, { timeouts })
      const begun = performance.now()
      expect((await send(connection)).outcome).toMatchObject({
        reply: null,
        failure: { kind: 'timeout' },
        usable: false,
      })
      expect(performance.now() - begun).toBeLessThan(1500)
      expect(performance.now() - begun).toBeGreaterThan(250)
    }
  })

  test('ended by us: close() and the signal both end what is under way', async () => {
    const { connection } = await given({ script: [{ expect: '<message>', answer: null }] })
    const sending = send(connection)
    connection.close()
    expect((await sending).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'aborted' },
      usable: false,
    })

    const controller = new AbortController()
    const other = await given(
      { script: [{ expect: '<message>', answer: null }] },
      { signal: controller.signal },
    )
    const waiting = send(other.connection)
    controller.abort()
    expect((await waiting).outcome).toMatchObject({ failure: { kind: 'aborted' } })
  })
})

describe('idle', () => {
  test('idle connection closed by the server: its keeper is told once, and the next message is not sent', async () => {
    const { mx, connection } = await given()
    await send(connection)
    const told = new Promise<void>((resolve) => {
      connection.onIdleClosed = resolve
    })
    await mx.close()
    await told
    expect(connection.alive).toBe(false)
    expect((await send(connection)).outcome).toMatchObject({
      stage: 'mail',
      failure: { kind: 'closed' },
      usable: false,
    })
  })

  test('quit says QUIT, and reset on a quiet connection works', async () => {
    const { mx, connection } = await given()
    expect(await connection.reset()).toBe(true)
    await connection.quit()
    expect(linesOf(mx).slice(-2)).toEqual(['RSET', 'QUIT'])
    expect(connection.alive).toBe(false)
  })

  test('busy: a second message at the same time is a bug and throws', async () => {
    const { connection } = await given()
    const first = send(connection)
    expect(connection.busy).toBe(true)
    await expect(send(connection)).rejects.toThrow(/busy/)
    expect((await first).outcome.reply?.code).toBe(250)
  })

  test('escaped: what a server says cannot write to a terminal or fill the store', async () => {
    const { connection } = await given({
      script: [{ expect: 'RCPT', answer: `550 \x1b]0;pwned\x07${'é'.repeat(900)}` }],
    })
    const { outcome, log } = await send(connection)
    expect(outcome.reply?.text).toMatch(/^\\x1b\]0;pwned\\x07é+$/)
    expect(Buffer.byteLength(outcome.reply?.text ?? '')).toBeLessThanOrEqual(1024)
    expect(log.join('')).not.toMatch(/\p{Cc}/u)
  })
})
