import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readOperations } from './support/held-cases.ts'
import { messageShapes } from './support/held-messages.ts'
import { type HeldServer, startHeldServer } from './support/held-server.ts'
import { submit } from './support/held-smtp.ts'
import { createTrial, type Trial } from './support/held-trial.ts'
import {
  batchOf,
  fileInBase64,
  fileInNumbers,
  mimeBody,
  recipients,
  wrongEmails,
} from './support/largest-requests.ts'
import {
  createUnits,
  fill,
  jsonShapes,
  jsonWith,
  MARK_VALUE,
  MIB,
  SEED,
  sampleOf,
} from './support/pathological.ts'
import { createReader, type ReadBack } from './support/read-back.ts'

/**
 * No request of the largest size may block the event loop for longer than this (held-loop.test.ts: 50 ms at 1 MiB).
 * Each run samples the kinds of requests. SENDWRIGHT_SEED changes the sample, SENDWRIGHT_FULL makes it larger, HOLD_FULL runs all,
 * HOLD_ONLY runs those whose name contains it.
 */
const BAR_MS = 200
const ONLY = process.env.HOLD_ONLY ?? ''
const MESSAGE_BYTES = 37_000_000
const EMAIL_BYTES = 80 * MIB
const BATCH_BYTES = 100 * MIB
/** Encoded, a file of this size fills the largest message. */
const BASE64_BYTES = 36_000_000

let server: HeldServer
let readBack: ReadBack
let trial: Trial
let mail: Record<string, unknown>
beforeAll(async () => {
  server = await startHeldServer()
  readBack = createReader(server, await readOperations(server))
  mail = server.ann.email({ to: 'bob@receiver.test' })
}, 120_000)
beforeEach(() => {
  trial = createTrial(server)
})
afterAll(() => server?.stop())

const sample: typeof sampleOf = (all, ...counts) => (ONLY === '' ? sampleOf(all, ...counts) : [...all])

async function post(path: string, kind: string, makeBody: () => Buffer): Promise<void> {
  const name = `post ${path}: ${kind}`
  if (!name.includes(ONLY)) return
  const body = makeBody()
  const { status, text } = await trial.run(
    name,
    () => server.request('POST', path, server.asKey, body),
    BAR_MS,
  )
  if (status === 202) await readAll(name, text)
}

async function readAll(name: string, accepted: string): Promise<void> {
  for (const read of await readBack(accepted))
    await trial.run(`${read.name} after ${name}`, read.send, BAR_MS)
}

const expectNoHold = () =>
  expect(trial.complaints, `SENDWRIGHT_SEED=${SEED}: ${trial.complaints.join('; ')}`).toEqual([])

test('200 ms at most for any JSON of 80 MiB, and of 100 MiB in a batch', async () => {
  for (const [name, makeBody] of sample(Object.entries(jsonShapes(EMAIL_BYTES)), 1, 8)) {
    await post('/emails', name, makeBody)
  }
  for (const [name, makeBody] of sample(Object.entries(jsonShapes(BATCH_BYTES)), 1, 4)) {
    await post('/emails/batch', name, makeBody)
  }
  expectNoHold()
}, 3_600_000)

test('200 ms at most for any field as long as a body may be', async () => {
  const fields = ['from', 'to', 'subject', 'reply_to', 'html', 'text']
  const kinds = createUnits(SEED).all.flatMap((unit) => fields.map((field) => ({ field, unit })))
  for (const { field, unit } of sample(kinds, 1, 6)) {
    await post('/emails', `${field} of ${JSON.stringify(unit)}`, () =>
      jsonWith({ ...mail, [field]: MARK_VALUE }, unit, EMAIL_BYTES),
    )
  }
  expectNoHold()
}, 3_600_000)

test('200 ms at most for any text of 28 MB, and for reading it, tracked or not', async () => {
  await server.ann.patch(`/domains/${server.ann.domainId}`, { open_tracking: true, click_tracking: true })
  const kinds = createUnits(SEED).all.flatMap((unit) => ['html', 'text'].map((field) => ({ field, unit })))
  for (const { field, unit } of sample(kinds, 1, 5)) {
    await post('/emails', `28 MB, ${field} of ${JSON.stringify(unit)}`, () =>
      jsonWith({ ...mail, [field]: MARK_VALUE }, unit, 28 * MIB),
    )
  }
  // Longer content is not tracked.
  await post('/emails', 'html of links, tracked', () =>
    jsonWith({ ...mail, html: MARK_VALUE }, '<a href="http://a.test/">', 4 * MIB),
  )
  expectNoHold()
}, 3_600_000)

test('200 ms at most for any attachment', async () => {
  const files: [string, () => Buffer][] = [
    ['a file of 27 MB in base64', () => fileInBase64(mail)],
    ['a file as Node.js writes a Buffer', () => fileInNumbers(mail)],
  ]
  for (const [name, makeBody] of sample(files, 1, 2)) await post('/emails', name, makeBody)
  for (const unit of sample(['QUJD', 'QUJD\n', ' ', '=', '\n', '-', '_', '!', 'é'], 1, 2)) {
    await post('/emails', `content of ${JSON.stringify(unit)}`, () =>
      jsonWith({ ...mail, attachments: [{ filename: 'a', content: MARK_VALUE }] }, unit, BASE64_BYTES),
    )
  }
  expectNoHold()
}, 3_600_000)

test('200 ms at most for any batch', async () => {
  const kinds: [string, () => Buffer][] = [
    ['100 emails to 150 recipients', () => batchOf(mail, { bcc: recipients() })],
    ['emails with wrong fields', () => wrongEmails(mail)],
    ['100 emails with wrong recipients', () => batchOf(mail, { bcc: wrongAddresses() })],
    ['more emails than a batch holds', tooManyEmails],
    ...['<b>', '\n', 'é'].map((unit): [string, () => Buffer] => [
      `100 emails of 1 MB of ${JSON.stringify(unit)}`,
      () => batchOf(mail, { html: fill(unit, MIB / 2 - 1_000) }),
    ]),
  ]
  for (const [name, makeBody] of sample(kinds, 1, 7)) await post('/emails/batch', name, makeBody)
  expectNoHold()
}, 3_600_000)

test('200 ms at most for any message of 37 MB, by HTTP and by SMTP, and for reading it', async () => {
  const shapes = Object.entries(messageShapes(mail.from as string, MESSAGE_BYTES))
  for (const [name, make] of sample(shapes, 1, 5)) await post('/emails/mime', name, () => mimeBody(make()))
  for (const [kind, make] of sample(shapes.toReversed(), 1, 5)) {
    const name = `submission: ${kind}`
    if (!name.includes(ONLY)) continue
    const message = make()
    const { status, text } = await trial.run(name, () => submit(server, message), BAR_MS)
    if (status === 202) await readAll(name, text)
  }
  expectNoHold()
}, 3_600_000)

test('200 ms at most for an upload of any kind', async () => {
  for (const unit of sample(['a', '\n', ',', '"', 'a@b.test,\n', '\r', 'é', '\0'], 1, 3)) {
    const file = Buffer.from(`email,first_name\n${fill(unit, EMAIL_BYTES)}`)
    const headers = { ...server.asKey, 'content-type': 'text/csv' }
    const name = `post /contacts/import: ${JSON.stringify(unit)}`
    await trial.run(name, () => server.request('POST', '/contacts/import', headers, file), BAR_MS)
  }
  expectNoHold()
}, 3_600_000)

function tooManyEmails(): Buffer {
  const email = JSON.stringify(mail)
  return Buffer.from(`[${fill(`${email},`, BATCH_BYTES - 1_000)}${email}]`)
}

function wrongAddresses(): string[] {
  return Array.from({ length: 1_000 }, (_, at) => `wrong ${at}`)
}
