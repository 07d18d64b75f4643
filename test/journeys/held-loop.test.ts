import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isFull } from '../support/thorough.ts'
import {
  addressCases,
  bodyCases,
  type Case,
  type Operation,
  readCases,
  readOperations,
} from './support/held-cases.ts'
import { dsnShapes, messageShapes } from './support/held-messages.ts'
import { FEEDBACK, type HeldServer, startHeldServer } from './support/held-server.ts'
import { sendGarbage, sendInbound, submit } from './support/held-smtp.ts'
import { createTrial, type Trial } from './support/held-trial.ts'
import { fill, MIB, SEED } from './support/pathological.ts'

/**
 * No request of 1 MiB may block the event loop for longer than this, so that /healthz responds in the meantime.
 * support/hold-probe.ts describes the measurement; held-loop-large.test.ts has the largest requests. SENDWRIGHT_SEED
 * changes the bodies, SENDWRIGHT_FULL runs several times as many, HOLD_FULL runs all, HOLD_NOTES names a file for slow
 * cases, HOLD_PROBE_PROFILE lists the functions.
 */
const BAR_MS = 50
/** Longer headers are refused unread, and longer messages are read in another thread. */
const ON_LOOP_BYTES = 220_000
const ON_LOOP = ['base64 words', 'encoded words', 'recipients in a field', 'references', 'boundaries alone']
/** Whether today has this case out of so many; SENDWRIGHT_FULL has them all. */
const isToday = (index: number, outOf: number) => isFull || (index + SEED) % outOf === 0

let server: HeldServer
let operations: Operation[]
let trial: Trial
beforeAll(async () => {
  server = await startHeldServer()
  operations = await readOperations(server)
}, 120_000)
beforeEach(() => {
  trial = createTrial(server)
})
afterAll(() => server?.stop())

const request = ({ name, method, path, headers, body }: Case) =>
  trial.run(name, () => server.request(method, path, headers, body?.()), BAR_MS)

test('50 ms at most for any body of 1 MiB on any route, and for reading the stored record', async () => {
  for (const one of bodyCases(server, operations, MIB, SEED)) {
    const { status, text } = await request(one)
    if (status !== 201 && status !== 202) continue
    const { id } = JSON.parse(text) as { id?: string }
    for (const read of id === undefined ? [] : readCases(server, operations, one.path, id)) {
      await request({ ...read, name: `${read.name} after ${one.name}` })
    }
  }
  expect(trial.complaints, `SENDWRIGHT_SEED=${SEED}: ${trial.complaints.join('; ')}`).toEqual([])
}, 600_000)

test('50 ms at most for any path and any query', async () => {
  for (const one of addressCases(server, operations, SEED)) await request(one)
  expect(trial.complaints, `SENDWRIGHT_SEED=${SEED}: ${trial.complaints.join('; ')}`).toEqual([])
}, 600_000)

test('50 ms at most for any message of 1 MiB, at the submission port, the inbound port and POST /emails/mime', async () => {
  const from = server.ann.email().from as string
  const small = messageShapes(from, ON_LOOP_BYTES)
  const onLoop = ON_LOOP.map((name) => [`short ${name}`, small[name] as () => Buffer] as const)
  const messages = [...Object.entries(messageShapes(from, MIB)), ...onLoop]
  for (const [index, [name, message]] of messages.entries()) {
    const body = () => Buffer.from(JSON.stringify({ raw_message: message().toString() }))
    const post = { method: 'post', path: '/emails/mime', headers: server.asKey, body }
    if (isToday(index, 3)) await request({ ...post, name: `post /emails/mime: ${name}` })
    if (isToday(index + 1, 3)) await trial.run(`submission: ${name}`, () => submit(server, message()), BAR_MS)
  }
  const sent = new Set(messages.map(([name]) => name))
  for (const [index, [name, message]] of Object.entries(dsnShapes(MIB)).entries()) {
    if (!isToday(index, sent.has(name) ? 3 : 2)) continue
    await trial.run(`inbound: ${name}`, () => sendInbound(server, FEEDBACK, message()), BAR_MS)
  }
  expect(trial.complaints, `SENDWRIGHT_SEED=${SEED}: ${trial.complaints.join('; ')}`).toEqual([])
}, 600_000)

test('50 ms at most for 1 MiB of commands, valid or not', async () => {
  const lines = [
    'NOOP\r\n',
    'RSET\r\n',
    '\r\n',
    '\n',
    'EHLO a\r\n',
    'a',
    '(',
    'MAIL FROM:<',
    `MAIL FROM:<a@${'-'.repeat(900)}.b>\r\n`,
  ]
  for (const [index, line] of lines.entries()) {
    for (const [at, port] of [server.submissionsPort, server.inboundPort].entries()) {
      if (!isToday(index + at, 2)) continue
      const work = () => sendGarbage(port, port === server.submissionsPort, Buffer.from(fill(line, MIB)))
      await trial.run(`commands: ${JSON.stringify(line.slice(0, 20))}`, work, BAR_MS)
    }
  }
  expect(trial.complaints, `SENDWRIGHT_SEED=${SEED}: ${trial.complaints.join('; ')}`).toEqual([])
}, 600_000)
