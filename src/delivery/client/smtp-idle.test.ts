import { setTimeout as rest } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { MxRow } from '../../../test/support/mx-script.ts'
import { givenConnection, sendMessage } from '../../../test/support/smtp.ts'

/** The idle time after which a connection may be dead; it cannot be detected without a wait. */
const REST_MS = 60
const timeouts = { afterIdleMs: 120, commandMs: 600_000 }
/** Longer than a busy machine delays a server's first byte. */
const UNHURRIED_MS = 1000
/** The first message goes through; after that the server is silent at each of these commands. */
const silentAt = (...commands: string[]): MxRow[] => [
  { expect: 'MAIL', answer: '250 ok', times: 1 },
  { expect: 'RCPT', answer: '250 ok', times: 1 },
  { expect: 'DATA', answer: '354 ok', times: 1 },
  ...commands.map((expected) => ({ expect: expected, answer: null })),
]

describe('after an idle period', () => {
  test.each([
    ['pipelined', ['PIPELINING']],
    ['one by one', []],
  ])('as if closed: no reply to the first command, %s', async (_how, capabilities) => {
    const { mx, connection } = await givenConnection(
      { capabilities, script: silentAt('MAIL', 'RCPT', 'DATA') },
      { timeouts },
    )
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    await rest(REST_MS)
    const { outcome, transcript } = await sendMessage(connection)
    expect(outcome).toMatchObject({ stage: 'mail', reply: null, failure: { kind: 'closed' }, usable: false })
    expect(transcript.at(-1)).toBe('* the connection had died while it was idle')
    expect(mx.contents).toHaveLength(1)
  })

  test('sent: a server that is usually slow gets enough time', async () => {
    const quick = { expect: 'MAIL', answer: '250 2.1.0 Ok', times: 1 }
    const slow = { expect: 'MAIL', answer: '250 2.1.0 Ok', byteEveryMs: 90 }
    const { connection } = await givenConnection(
      { capabilities: [], script: [quick, slow] },
      { timeouts: { ...timeouts, afterIdleMs: UNHURRIED_MS } },
    )
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
    await rest(REST_MS)
    expect((await sendMessage(connection)).outcome.reply?.code).toBe(250)
  })

  test('timed out: silence to a later command is a slow server, not a dead connection', async () => {
    const { connection } = await givenConnection(
      { capabilities: [], script: silentAt('RCPT') },
      { timeouts: { afterIdleMs: UNHURRIED_MS, commandMs: 1500 } },
    )
    await sendMessage(connection)
    await rest(REST_MS)
    expect((await sendMessage(connection)).outcome).toMatchObject({
      stage: 'rcpt',
      failure: { kind: 'timeout' },
    })
  })
})
