import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startMx } from '../../../test/support/mx.ts'
import { type MxOptions, testCa } from '../../../test/support/mx-script.ts'
import { createGuard } from '../../lib/net/egress-guard.ts'
import { openSmtp } from './smtp-open.ts'
import type { OpenOptions, SmtpTarget } from './smtp-types.ts'
import { describeSecurity } from './tls-security.ts'
import { Transcript } from './transcript.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const ordinaryCas = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...ordinaryCas, testCa()]))
afterAll(() => setDefaultCACertificates(ordinaryCas))

async function open(
  options: MxOptions = {},
  more: Partial<OpenOptions> = {},
  target: Partial<SmtpTarget> = {},
) {
  const mx = await startMx(options)
  cleanups.push(() => mx.close())
  const outcome = await openSmtp(
    { host: 'mx.test', address: mx.host, port: mx.port, ...target },
    { ehloName: 'sender.test', guard: null, tls: 'opportunistic', ...more },
  )
  if (outcome.ok) cleanups.push(() => outcome.connection.close())
  return { mx, outcome, lines: mx.commands.map(({ line }) => line) }
}

const MESSAGE = Buffer.from('Subject: x\r\n\r\nx\r\n')
const ENVELOPE = { from: 'a@sender.test', to: 'b@rcpt.test', smtpUtf8: false, size: MESSAGE.length }

describe('open', () => {
  test('open without TLS: EHLO with our name, capabilities read, transcript kept', async () => {
    const { outcome, lines, mx } = await open()
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expect(lines).toEqual(['EHLO sender.test'])
    expect(outcome.connection.capabilities).toEqual({
      pipelining: true,
      startTls: false,
      requireTls: false,
      eightBitMime: true,
      chunking: false,
      smtpUtf8: true,
      enhancedStatusCodes: true,
      size: true,
      sizeMax: 37_500_000,
      auth: [],
    })
    expect(outcome.connection.security).toMatchObject({ kind: 'plain' })
    expect(outcome.connection.opening.map(({ who, text }) => `${who} ${text}`).slice(0, 3)).toEqual([
      `* connecting to mx.test [127.0.0.1]:${mx.port}`,
      'S 220 mx.test ESMTP',
      'C EHLO sender.test',
    ])
  })

  test('open with HELO if EHLO is unknown: no extension is assumed, and messages are sent one command at a time', async () => {
    const { outcome, lines, mx } = await open({ capabilities: null })
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expect(lines).toEqual(['EHLO sender.test', 'HELO sender.test'])
    await outcome.connection.send(ENVELOPE, [MESSAGE], new Transcript())
    expect(mx.commands.map(({ line }) => line)).toContain('MAIL FROM:<a@sender.test>')
    expect(mx.messages).toHaveLength(1)
  })

  test.each([
    ['SIZE', null],
    ['SIZE 0', null],
    ['size 100', 100],
    ['SIZE lots', null],
  ])('open: %s means a limit of %s', async (line, sizeMax) => {
    const { outcome } = await open({ capabilities: [line] })
    expect(outcome.ok && outcome.connection.capabilities).toMatchObject({ size: true, sizeMax })
  })

  test('open after a greeting of many lines and bytes that trickle in', async () => {
    const answer = '220-hello\r\n220-we are\r\n220 mx.test'
    const { outcome } = await open({ script: [{ expect: '<connect>', answer, byteEveryMs: 1 }] })
    expect(outcome.ok).toBe(true)
  })
})

describe('open with TLS', () => {
  test('secured and verified: EHLO is repeated, the message is sent encrypted', async () => {
    const { outcome, lines, mx } = await open({ tls: true }, { tls: 'enforced' })
    if (!outcome.ok) throw new Error(JSON.stringify(outcome))
    expect(lines).toEqual(['EHLO sender.test', 'STARTTLS', 'EHLO sender.test'])
    expect(describeSecurity(outcome.connection.security)).toMatch(/^TLSv1\.3 TLS_\w+ verified$/)
    await outcome.connection.send(ENVELOPE, [MESSAGE], new Transcript())
    expect(mx.messages[0]).toMatchObject({ tls: 'TLSv1.3', raw: MESSAGE })
  })

  test.each([
    ['a certificate for another name', 'other.test'],
    ['a certificate for a parent of the name', 'a.b.mx.test'],
  ])('secured but unverified when opportunistic, refused when enforced: %s', async (_what, host) => {
    const opportunistic = await open({ tls: true }, {}, { host })
    expect(opportunistic.outcome.ok && describeSecurity(opportunistic.outcome.connection.security)).toMatch(
      / unverified$/,
    )
    const enforced = await open({ tls: true }, { tls: 'enforced' }, { host })
    expect(enforced.outcome).toMatchObject({
      ok: false,
      stage: 'starttls',
      reply: null,
      failure: { kind: 'tls_certificate' },
    })
    expect(enforced.lines.filter((line) => line.startsWith('EHLO'))).toHaveLength(1)
  })

  test('secured but unverified: an untrusted certificate', async () => {
    setDefaultCACertificates(ordinaryCas)
    try {
      const opportunistic = await open({ tls: true })
      expect(opportunistic.outcome.ok && describeSecurity(opportunistic.outcome.connection.security)).toMatch(
        / unverified$/,
      )
      expect((await open({ tls: true }, { tls: 'enforced' })).outcome).toMatchObject({
        failure: { kind: 'tls_certificate' },
      })
    } finally {
      setDefaultCACertificates([...ordinaryCas, testCa()])
    }
  })

  test('without TLS when STARTTLS is refused or disabled; failed when TLS is enforced', async () => {
    const script = [{ expect: 'STARTTLS', answer: '454 4.7.0 not now' }]
    const refused = await open({ tls: true, script })
    expect(refused.outcome.ok && refused.outcome.connection.security).toMatchObject({
      kind: 'plain',
      reason: 'STARTTLS was refused with 454',
    })
    expect((await open({ tls: true, script }, { tls: 'enforced' })).outcome).toMatchObject({
      ok: false,
      stage: 'starttls',
      reply: { code: 454 },
    })
    expect((await open({}, { tls: 'enforced' })).outcome).toMatchObject({
      failure: { kind: 'tls_unavailable' },
    })
    expect((await open({ tls: true }, { tls: 'off' })).lines).toEqual(['EHLO sender.test'])
  })

  test('failed handshake: reported, and the same server can be opened without TLS', async () => {
    const broken = await open({
      tls: true,
      script: [{ expect: 'STARTTLS', answer: '220 go', ending: 'close' }],
    })
    expect(broken.outcome).toMatchObject({ ok: false, stage: 'starttls', failure: { kind: 'tls_handshake' } })
    const garbage = createServer((socket) => {
      socket.write('220 hi\r\n')
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n')
        else
          socket.write(chunk.toString().startsWith('STARTTLS') ? '220 go\r\n' : 'this is not TLS at all\r\n')
      })
    })
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => garbage.close())
    const { port } = garbage.address() as { port: number }
    expect((await open({}, {}, { port })).outcome).toMatchObject({
      stage: 'starttls',
      failure: { kind: 'tls_handshake' },
    })
    expect((await open({}, { tls: 'off' }, { port })).outcome.ok).toBe(true)
  })

  test('failed handshake: a server that never answers it, so that its mail can go without TLS', async () => {
    const silent = createServer((socket) => {
      socket.write('220 hi\r\n')
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('EHLO')) socket.write('250-hi\r\n250 STARTTLS\r\n')
        else if (chunk.toString().startsWith('STARTTLS')) socket.write('220 go\r\n')
      })
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => silent.close())
    const { port } = silent.address() as { port: number }
    expect((await open({}, { timeouts: { commandMs: 2_000 } }, { port })).outcome).toMatchObject({
      stage: 'starttls',
      failure: { kind: 'tls_handshake', detail: 'the server did not finish the TLS handshake in time' },
    })
  })

  test('refused: anything injected between STARTTLS and TLS, whole or in part', async () => {
    for (const answer of ['220 go\r\n250 injected', Buffer.from('220 go\r\n250 inj')]) {
      const { outcome } = await open({ tls: true, script: [{ expect: 'STARTTLS', answer }] })
      expect(outcome).toMatchObject({ ok: false, failure: { kind: 'protocol' } })
    }
  })

  test('capabilities from before TLS are forgotten', async () => {
    const script = [
      { expect: 'EHLO', answer: '250-mx\r\n250-SIZE 5\r\n250-AUTH PLAIN\r\n250 STARTTLS', times: 1 },
    ]
    const { outcome } = await open({ tls: true, capabilities: ['8BITMIME'], script })
    expect(outcome.ok && outcome.connection.capabilities).toMatchObject({
      size: false,
      sizeMax: null,
      auth: [],
      eightBitMime: true,
      chunking: false,
    })
  })

  test('implicit TLS: secured before the greeting', async () => {
    const { outcome, lines } = await open({ implicitTls: true }, { implicitTls: true, tls: 'enforced' })
    expect(outcome.ok && describeSecurity(outcome.connection.security)).toMatch(/ verified$/)
    expect(lines).toEqual(['EHLO sender.test'])
    expect(
      (await open({ implicitTls: true }, { implicitTls: true, tls: 'enforced' }, { host: 'other.test' }))
        .outcome,
    ).toMatchObject({
      failure: { kind: 'tls_certificate' },
    })
  })
})

describe('logged in', () => {
  const login = { user: 'relay', password: 'pass word ü' }

  test.each([['PLAIN'], ['LOGIN']] as const)(
    'logged in with %s, and no secret is in the transcript',
    async (mechanism) => {
      const { outcome, mx } = await open(
        { tls: true, login: { ...login, mechanisms: [mechanism] } },
        { auth: login, tls: 'enforced' },
      )
      if (!outcome.ok) throw new Error(JSON.stringify(outcome))
      await outcome.connection.send(ENVELOPE, [MESSAGE], new Transcript())
      expect(mx.messages[0]?.user).toBe('relay')
      const kept = outcome.connection.opening.map(({ text }) => text).join('\n')
      expect(kept).toContain(`AUTH ${mechanism}`)
      for (const secret of [
        login.password,
        Buffer.from(login.password).toString('base64'),
        Buffer.from('\0relay\0pass word ü').toString('base64'),
      ]) {
        expect(kept).not.toContain(secret)
      }
    },
  )

  test('refused login: the reply is kept', async () => {
    const { outcome } = await open({ login }, { auth: { ...login, password: 'wrong' } })
    expect(outcome).toMatchObject({ ok: false, stage: 'auth', reply: { code: 535 }, failure: null })
  })

  test('no common mechanism', async () => {
    expect((await open({}, { auth: login })).outcome).toMatchObject({
      stage: 'auth',
      failure: { kind: 'auth_unavailable' },
    })
  })

  test('no password without TLS except to a loopback address', async () => {
    // 127.0.0.0/8 is loopback; its IPv4-mapped form is not accepted as such.
    const { outcome, lines } = await open({ login }, { auth: login }, { address: '::ffff:127.0.0.1' })
    if (!outcome.ok && outcome.failure?.kind === 'unreachable') return
    expect(outcome).toMatchObject({ ok: false, stage: 'auth', failure: { kind: 'auth_without_tls' } })
    expect(lines.some((line) => line.startsWith('AUTH'))).toBe(false)
  })
})

describe('not open', () => {
  test.each([
    ['greeting', '<connect>', '554 5.7.1 blocked'],
    ['greeting', '<connect>', '421 4.3.2 busy'],
    ['ehlo', 'EHLO', '421 4.3.2 busy'],
    ['ehlo', 'EHLO', '450 4.7.1 later'],
  ])('not open: refused at %s', async (stage, expected, answer) => {
    const { outcome, mx } = await open({ script: [{ expect: expected, answer }] })
    expect(outcome).toMatchObject({
      ok: false,
      stage,
      reply: { code: Number(answer.slice(0, 3)) },
      failure: null,
    })
    expect(outcome.ok ? [] : outcome.transcript.map(({ who }) => who)).toContain('S')
    await expect.poll(() => mx.openCount()).toBe(0)
  })

  test('not open: HELO refused as well', async () => {
    const { outcome } = await open({ capabilities: null, script: [{ expect: 'HELO', answer: '550 no' }] })
    expect(outcome).toMatchObject({ stage: 'ehlo', reply: { code: 550 } })
  })

  test.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request'],
    ['no words but bytes', Buffer.from([0, 1, 2, 3, 10])],
    ['an endless line', Buffer.alloc(1_000_000, 'x')],
    ['an endless reply', Buffer.from('220-x\r\n'.repeat(100_000))],
    ['more than a greeting', '220 hi\r\n250 early'],
  ])('not open: greeted with %s', async (_what, answer) => {
    const { outcome } = await open({ script: [{ expect: '<connect>', answer }] })
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'protocol' } })
    expect(outcome.ok ? '' : (outcome.failure?.detail ?? '')).not.toMatch(/\p{Cc}/u)
  })

  test('not open: a banner byte by byte ends at the deadline', async () => {
    const script = [{ expect: '<connect>', answer: '220 this takes its time', byteEveryMs: 60 }]
    const { outcome, lines } = await open({ script }, { timeouts: { greetingMs: 250 } })
    expect(outcome).toMatchObject({
      stage: 'greeting',
      failure: { kind: 'timeout', detail: 'the server did not greet in time' },
    })
    expect(lines).toEqual([])
  })

  test('not open: closed without a greeting', async () => {
    const { outcome } = await open({ script: [{ expect: '<connect>', answer: null, ending: 'close' }] })
    expect(outcome).toMatchObject({ stage: 'greeting', failure: { kind: 'closed' } })
  })

  test('not open: connection refused', async () => {
    const mx = await startMx()
    await mx.close()
    const { outcome } = await open({}, {}, { port: mx.port })
    expect(outcome).toMatchObject({
      stage: 'connect',
      failure: { kind: 'unreachable', detail: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test('not open: aborted before and while connecting', async () => {
    expect((await open({}, { signal: AbortSignal.abort() })).outcome).toMatchObject({
      failure: { kind: 'aborted' },
    })
    const controller = new AbortController()
    const opening = open({ script: [{ expect: '<connect>', answer: null }] }, { signal: controller.signal })
    setImmediate(() => controller.abort())
    expect((await opening).outcome).toMatchObject({ failure: { kind: 'aborted' } })
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433'])(
    'not open: the guard refuses %s, and no connection is made',
    async (address) => {
      const { outcome, mx } = await open({}, { guard: createGuard({ allowPrivate: false }) }, { address })
      expect(outcome).toMatchObject({ ok: false, stage: 'connect', failure: { kind: 'refused_address' } })
      expect(mx.connectionCount).toBe(0)
    },
  )

  test('open to loopback when private networks are allowed', async () => {
    expect((await open({}, { guard: createGuard({ allowPrivate: true }) })).outcome.ok).toBe(true)
  })
})
