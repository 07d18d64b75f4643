import { describe, expect, test } from 'vitest'
import { BODY, givenConnection, linesOf, sendMessage } from '../../../test/support/smtp.ts'

describe('lost', () => {
  test('lost after the final dot: the outcome says so and has no reply', async () => {
    const { mx, connection } = await givenConnection({
      script: [{ expect: '<message>', answer: null, ending: 'close' }],
    })
    expect((await sendMessage(connection)).outcome).toMatchObject({
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
      const { connection } = await givenConnection({
        capabilities: [],
        script: [{ expect: expected, answer: null, ending }],
      })
      expect((await sendMessage(connection)).outcome).toMatchObject({
        stage,
        reply: null,
        failure: { kind: 'closed' },
        usable: false,
      })
    }
  })

  test('lost after a refusal: the refusal counts', async () => {
    const { connection } = await givenConnection({
      script: [{ expect: 'RCPT', answer: '550 5.1.1 no', ending: 'close' }],
    })
    expect((await sendMessage(connection)).outcome).toMatchObject({
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
    const { connection } = await givenConnection({
      script: [{ expect: expected, answer: '421 4.7.0 slow down', ending: 'close' }],
    })
    expect((await sendMessage(connection)).outcome).toMatchObject({
      stage,
      reply: { code: 421 },
      usable: false,
    })
    expect(connection.alive).toBe(false)
  })

  test('closed by 421 in the middle of the content: kept as the reply of data', async () => {
    const { mx, connection } = await givenConnection({
      script: [{ expect: '<content>', answer: '421 4.3.2 shutting down', ending: 'close' }],
    })
    const { outcome } = await sendMessage(connection, {}, [
      BODY,
      Buffer.from('x'.repeat(70).concat('\r\n').repeat(500_000)),
    ])
    expect(outcome).toMatchObject({ usable: false })
    // The reset that the kernel sends for unread content may overtake the reply.
    expect(outcome.reply?.code ?? outcome.failure?.kind).toSatisfy(
      (got: unknown) => got === 421 || got === 'closed',
    )
    expect(outcome.stage).toBe('data')
    expect(mx.messages).toHaveLength(0)
  })

  test('a success before the end of the content is not accepted', async () => {
    const { connection } = await givenConnection({
      script: [{ expect: '<content>', answer: '250 2.0.0 thanks' }],
    })
    const { outcome } = await sendMessage(connection, {}, [
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

  test('a success that arrives with the 354 is not accepted', async () => {
    const { connection } = await givenConnection({
      script: [{ expect: 'DATA', answer: '354 go on\r\n250 2.0.0 thanks' }],
    })
    expect((await sendMessage(connection)).outcome).toMatchObject({
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
    const { connection } = await givenConnection({ script: [row] })
    expect((await sendMessage(connection)).outcome).toMatchObject({
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
      const { connection } = await givenConnection({ capabilities: [], script: [row] }, { timeouts })
      const begun = performance.now()
      expect((await sendMessage(connection)).outcome).toMatchObject({
        reply: null,
        failure: { kind: 'timeout' },
        usable: false,
      })
      expect(performance.now() - begun).toBeGreaterThan(250)
    }
  })

  test('aborted: close() and the signal both end a message in progress', async () => {
    const { connection } = await givenConnection({ script: [{ expect: '<message>', answer: null }] })
    const sending = sendMessage(connection)
    connection.close()
    expect((await sending).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'aborted' },
      usable: false,
    })

    const controller = new AbortController()
    const other = await givenConnection(
      { script: [{ expect: '<message>', answer: null }] },
      { signal: controller.signal },
    )
    const waiting = sendMessage(other.connection)
    controller.abort()
    expect((await waiting).outcome).toMatchObject({ failure: { kind: 'aborted' } })
  })
})

describe('idle', () => {
  test('idle connection closed by the server: its owner is notified once, and the next message is not sent', async () => {
    const { mx, connection } = await givenConnection()
    await sendMessage(connection)
    const reported = new Promise<void>((resolve) => {
      connection.onIdleClosed = resolve
    })
    await mx.close()
    await reported
    expect(connection.alive).toBe(false)
    expect((await sendMessage(connection)).outcome).toMatchObject({
      stage: 'mail',
      failure: { kind: 'closed' },
      usable: false,
    })
  })

  test('quit sends QUIT, and reset on a quiet connection works', async () => {
    const { mx, connection } = await givenConnection()
    expect(await connection.reset()).toBe(true)
    await connection.quit()
    expect(linesOf(mx).slice(-2)).toEqual(['RSET', 'QUIT'])
    expect(connection.alive).toBe(false)
  })

  test('busy: a second message at the same time is a bug and throws', async () => {
    const { connection } = await givenConnection()
    const first = sendMessage(connection)
    expect(connection.busy).toBe(true)
    await expect(sendMessage(connection)).rejects.toThrow(/busy/)
    expect((await first).outcome.reply?.code).toBe(250)
  })

  test("escaped: a server's text cannot control a terminal or fill the database", async () => {
    const { connection } = await givenConnection({
      script: [{ expect: 'RCPT', answer: `550 \x1b]0;pwned\x07${'é'.repeat(900)}` }],
    })
    const { outcome, transcript } = await sendMessage(connection)
    expect(outcome.reply?.text).toMatch(/^\\x1b\]0;pwned\\x07é+$/)
    expect(Buffer.byteLength(outcome.reply?.text ?? '')).toBeLessThanOrEqual(1024)
    expect(transcript.join('')).not.toMatch(/\p{Cc}/u)
  })
})
