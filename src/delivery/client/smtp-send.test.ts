import { describe, expect, test } from 'vitest'
import type { MxRow } from '../../../test/support/mx-script.ts'
import { BODY, givenConnection, linesOf, sendMessage } from '../../../test/support/smtp.ts'
import type { SendOutcome } from './smtp-types.ts'

const NO_PIPELINING = ['SIZE 1000000', '8BITMIME', 'ENHANCEDSTATUSCODES']

describe('accepted', () => {
  test('accepted: the server has exactly the bytes, envelope and size, and the transcript is kept without content', async () => {
    const { mx, connection } = await givenConnection()
    const { outcome, transcript } = await sendMessage(connection)
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
    expect(transcript).toEqual([
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
      security: { kind: 'plain' },
    })
  })

  test('accepted one after another over one connection', async () => {
    const { mx, connection } = await givenConnection()
    for (let i = 0; i < 20; i++) expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    expect(mx.messages).toHaveLength(20)
    expect(mx.connectionCount).toBe(1)
    expect(connection.sentCount).toBe(20)
  })

  test('accepted without PIPELINING: each command waits for the previous reply', async () => {
    const { mx, connection } = await givenConnection({ capabilities: NO_PIPELINING })
    const { outcome, transcript } = await sendMessage(connection)
    expect(outcome.reply?.code).toBe(250)
    expect(mx.messages[0]?.raw.equals(BODY)).toBe(true)
    expect(transcript.map((line) => line[0]).join('')).toBe('CSCSCS*S')
  })

  test('accepted: a message that is ready for the wire goes as it is, also in chunks', async () => {
    for (const capabilities of [undefined, ['SIZE 9000000', 'CHUNKING', '8BITMIME']]) {
      const { mx, connection } = await givenConnection(capabilities && { capabilities })
      const raw = Buffer.from(`Subject: ü\r\n\r\n${'a line\r\n'.repeat(60_000)}`)
      const { outcome } = await sendMessage(connection, { isWireReady: true, mayChunk: true }, [raw])
      expect(outcome.reply?.code).toBe(250)
      expect(mx.messages[0]?.raw.equals(raw)).toBe(true)
      expect(mx.messages[0]?.mailParameters).toContain('BODY=8BITMIME')
    }
  })

  test('accepted: lines with dots, in several pieces, arrive as they were', async () => {
    const { mx, connection } = await givenConnection()
    const text = 'Subject: x\r\n\r\n.\r\n..\r\n.a\r\nb.\r\n.\r\n'
    await sendMessage(connection, {}, [
      Buffer.from(text.slice(0, 14)),
      Buffer.from(text.slice(14, 15)),
      Buffer.from(text.slice(15)),
    ])
    expect(mx.messages[0]?.raw.toString()).toBe(text)
  })

  test('accepted: bare CR and LF are sent as CRLF, and one message stays one', async () => {
    const { mx, connection } = await givenConnection()
    const trick =
      'Subject: x\n\nhi\n.\r\nMAIL FROM:<evil@x.test>\r\nRCPT TO:<b@x.test>\r\nDATA\r\n\r.\rno\r\n'
    expect((await sendMessage(connection, {}, [Buffer.from(trick)])).outcome.reply?.code).toBe(250)
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    expect(mx.messages).toHaveLength(2)
    expect(mx.messages[0]?.raw.toString()).toBe(trick.replace(/\r\n|\r|\n/g, '\r\n'))
    expect(linesOf(mx).filter((line) => line.startsWith('MAIL'))).toHaveLength(2)
  })

  test('accepted: 8-bit content is announced, UTF-8 addresses too', async () => {
    const { mx, connection } = await givenConnection()
    await sendMessage(connection, { to: 'jürgen@rcpt.test', smtpUtf8: true }, [
      Buffer.from('Subject: ü\r\n\r\nü\r\n'),
    ])
    expect(mx.messages[0]).toMatchObject({
      to: ['jürgen@rcpt.test'],
      mailParameters: 'SIZE=19 BODY=8BITMIME SMTPUTF8',
    })
  })

  test('accepted: a null reverse-path', async () => {
    const { mx, connection } = await givenConnection()
    await sendMessage(connection, { from: '' })
    expect(linesOf(mx)).toContain(`MAIL FROM:<> SIZE=${BODY.length}`)
  })

  test('accepted: a large message in pieces, to a slow reader, byte for byte', async () => {
    const { mx, connection } = await givenConnection()
    const big = Buffer.from(`Subject: big\r\n\r\n${`.${'x'.repeat(75)}\r\n`.repeat(100_000)}`)
    const { outcome } = await sendMessage(connection, {}, [BODY, big])
    expect(outcome.reply?.code).toBe(250)
    expect(mx.messages[0]?.raw.equals(Buffer.concat([BODY, big]))).toBe(true)
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
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
        const { mx, connection } = await givenConnection({ capabilities, script: [row] })
        const { outcome } = await sendMessage(connection)
        expect(outcome).toMatchObject({ stage, reply: { code }, failure: null, usable: true })
        expect(mx.messages).toHaveLength(0)
        expect((await sendMessage(connection)).outcome).toMatchObject({ stage: 'dot', reply: { code: 250 } })
        expect(mx.messages).toHaveLength(1)
        expect(mx.connectionCount).toBe(1)
      },
    )
  }

  test('refused at rcpt although DATA gets 354: a lone dot, and no content is sent', async () => {
    const script = [
      { expect: 'RCPT', answer: '550 5.1.1 no', times: 1 },
      { expect: 'DATA', answer: '354 go on', times: 1 },
    ]
    const { mx, connection } = await givenConnection({ script })
    const { outcome } = await sendMessage(connection)
    expect(outcome).toMatchObject({ stage: 'rcpt', reply: { code: 550 }, usable: true })
    expect(mx.contents.map(({ raw }) => raw.length)).toEqual([0])
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
  })

  test('refused at mail although RCPT and DATA are accepted: a lone dot, and the first refusal counts', async () => {
    const script = [
      { expect: 'MAIL', answer: '550 5.7.1 no', times: 1 },
      { expect: 'RCPT', answer: '250 yes', times: 1 },
      { expect: 'DATA', answer: '354 go on', times: 1 },
    ]
    const { mx, connection } = await givenConnection({ script })
    expect((await sendMessage(connection)).outcome).toMatchObject({
      stage: 'mail',
      reply: { code: 550 },
      usable: true,
    })
    expect(mx.contents.map(({ raw }) => raw.length)).toEqual([0])
  })

  test('refused recipients by address', async () => {
    const { connection } = await givenConnection({ recipients: { 'no@rcpt.test': '550 5.1.1 unknown' } })
    expect((await sendMessage(connection, { to: 'no@rcpt.test' })).outcome).toMatchObject({
      stage: 'rcpt',
      reply: { enhanced: '5.1.1' },
    })
    expect((await sendMessage(connection, { to: 'yes@rcpt.test' })).outcome).toMatchObject({ stage: 'dot' })
  })

  test('refused with a transaction left open: RSET precedes the next MAIL, also when requested', async () => {
    const { mx, connection } = await givenConnection({ recipients: { 'no@rcpt.test': '550 5.1.1 unknown' } })
    await sendMessage(connection, { to: 'no@rcpt.test' })
    await sendMessage(connection)
    expect(
      linesOf(mx)
        .filter((line) => /^(RSET|MAIL)/.test(line))
        .map((line) => line.slice(0, 4)),
    ).toEqual(['MAIL', 'RSET', 'MAIL'])
    await sendMessage(connection, { to: 'no@rcpt.test' })
    expect(await connection.reset()).toBe(true)
    await sendMessage(connection)
    expect(mx.messages).toHaveLength(2)
  })

  test('refused RSET: the next message is refused and the connection is unusable', async () => {
    const { connection } = await givenConnection({
      recipients: { 'no@rcpt.test': '550 no' },
      script: [{ expect: 'RSET', answer: '500 what' }],
    })
    await sendMessage(connection, { to: 'no@rcpt.test' })
    expect(await connection.reset()).toBe(false)
    expect(connection.alive).toBe(false)
    expect((await sendMessage(connection)).outcome).toMatchObject({
      reply: null,
      failure: { kind: 'closed' },
      usable: false,
    })
  })

  test.each([
    ['pipelined', ['PIPELINING']],
    ['one by one', []],
  ])(
    'refused RSET before a message, %s: as if closed, and no content is sent',
    async (_how, capabilities) => {
      const { mx, connection } = await givenConnection({
        capabilities,
        recipients: { 'no@rcpt.test': '550 no' },
        script: [{ expect: 'RSET', answer: '500 what' }],
      })
      await sendMessage(connection, { to: 'no@rcpt.test' })
      const { outcome, transcript } = await sendMessage(connection)
      expect(mx.contents).toEqual([])
      expect(outcome).toMatchObject({
        stage: 'mail',
        reply: null,
        failure: { kind: 'closed' },
        usable: false,
      })
      expect(transcript.at(-1)).toBe('* the server refused RSET')
    },
  )
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
  ])('not sent: %s for %j, without a command to the server', async (kind, envelope) => {
    const { mx, connection } = await givenConnection({ capabilities: ['PIPELINING', 'SIZE 1000000'] })
    const before = mx.commands.length
    const { outcome } = await sendMessage(connection, envelope)
    expect(outcome).toMatchObject({ stage: 'mail', reply: null, failure: { kind }, usable: true })
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    expect(mx.commands.length - before).toBe(3)
  })

  test('not sent: 8-bit content without 8BITMIME', async () => {
    const { mx, connection } = await givenConnection({ capabilities: ['PIPELINING'] })
    const { outcome } = await sendMessage(connection, {}, [Buffer.from('Subject: x\r\n\r\nü\r\n')])
    expect(outcome).toMatchObject({ failure: { kind: 'eight_bit_unsupported' }, usable: true })
    expect(mx.messages).toHaveLength(0)
  })

  test('sent: a quoted local part, unchanged', async () => {
    const { mx, connection } = await givenConnection()
    await sendMessage(connection, { to: '"a b>\\"c"@rcpt.test' })
    expect(linesOf(mx)).toContain('RCPT TO:<"a b>\\"c"@rcpt.test>')
  })
})
