import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
import { babble, bringIn, submit } from './support/held-smtp.ts'
import { createTrial, type Trial } from './support/held-trial.ts'
import { fill, MIB } from './support/pathological.ts'

/**
 * No request of 1 MiB holds the event loop for longer than this: whoever asks /healthz meanwhile is answered. How it is
 * measured says support/hold-probe.ts; the largest requests have held-loop-large.test.ts. HOLD_SEED gives other bodies,
 * HOLD_FULL all of them, HOLD_NOTES a file for what takes long, HOLD_PROBE_PROFILE the functions.
 */
const BAR_MS = 50
const SEED = Number(process.env.HOLD_SEED ?? 11)

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

const ask = ({ name, method, path, headers, body }: Case) =>
  trial.run(name, () => server.request(method, path, headers, body?.()), BAR_MS)

test('50 ms at most for any body of 1 MiB on any route, and for reading what was stored of it', async () => {
  for (const one of bodyCases(server, operations, MIB, SEED)) {
    const { status, text } = await ask(one)
    if (status !== 201 && status !== 202) continue
    const { id } = JSON.parse(text) as { id?: string }
    for (const read of id === undefined ? [] : readCases(server, operations, one.path, id)) {
      await ask({ ...read, name: `${read.name} after ${one.name}` })
    }
  }
  expect(trial.complaints, `HOLD_SEED=${SEED}`).toEqual([])
}, 600_000)

test('50 ms at most for any path and any query', async () => {
  for (const one of addressCases(server, operations, SEED)) await ask(one)
  expect(trial.complaints, `HOLD_SEED=${SEED}`).toEqual([])
}, 600_000)

test('50 ms at most for any message of 1 MiB, at the submission port, the inbound port and POST /emails/mime', async () => {
  const from = server.ann.email().from as string
  for (const [name, message] of Object.entries(messageShapes(from, MIB))) {
    const body = () => Buffer.from(JSON.stringify({ raw_message: message().toString() }))
    await ask({
      name: `post /emails/mime: ${name}`,
      method: 'post',
      path: '/emails/mime',
      headers: server.asKey,
      body,
    })
    await trial.run(`submission: ${name}`, () => submit(server, message()), BAR_MS)
  }
  for (const [name, message] of Object.entries(dsnShapes(MIB))) {
    await trial.run(`inbound: ${name}`, () => bringIn(server, FEEDBACK, message()), BAR_MS)
  }
  expect(trial.complaints, `HOLD_SEED=${SEED}`).toEqual([])
}, 600_000)

test('50 ms at most for 1 MiB of commands, or of what is none', async () => {
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
  for (const line of lines) {
    for (const port of [server.submissionsPort, server.inboundPort]) {
      const work = () => babble(port, port === server.submissionsPort, Buffer.from(fill(line, MIB)))
      await trial.run(`commands: ${JSON.stringify(line.slice(0, 20))}`, work, BAR_MS)
    }
  }
  expect(trial.complaints, `HOLD_SEED=${SEED}`).toEqual([])
}, 600_000)
