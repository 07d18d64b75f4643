import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { type DkimKey, signMessage } from '../mime/dkim.ts'
import { createSigningThreads } from './signing-threads.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const KEYS: readonly DkimKey[] = [
  { domain: 'example.com', selector: 'sw1', algorithm: 'rsa-sha256', privateKey: rsa.privateKey },
  { domain: 'example.com', selector: 'sw2', algorithm: 'ed25519-sha256', privateKey: ed25519.privateKey },
]
const AT = new Date('2026-11-21T02:03:04Z')

function makeMessage(no: number): Buffer {
  return Buffer.from(`From: a@example.com\r\nSubject: ${no}\r\n\r\n${'Hello. '.repeat(no)}\r\n`)
}

test.each([1, 2])('%i threads sign each of many messages as the event loop would', async (threadsMax) => {
  const threads = createSigningThreads(threadsMax)
  // Some are views of one block, as PostgreSQL's client returns them.
  const block = Buffer.concat(Array.from({ length: 50 }, (_, no) => makeMessage(no)))
  let start = 0
  const messages = Array.from({ length: 100 }, (_, no) => {
    if (no >= 50) return makeMessage(no)
    const end = start + makeMessage(no).length
    const view = block.subarray(start, end)
    start = end
    return view
  })
  const signed = await Promise.all(messages.map((message) => threads.add({ message, keys: KEYS, at: AT })))
  expect(signed).toEqual(messages.map((message) => signMessage(message, KEYS, AT).toString('latin1')))
})

test('a message whose key does not fit fails alone', async () => {
  const threads = createSigningThreads()
  const wrong: DkimKey = { ...(KEYS[0] as DkimKey), privateKey: ed25519.privateKey }
  const keys = [KEYS, [wrong], KEYS]
  const results = await Promise.allSettled(
    keys.map((given) => threads.add({ message: makeMessage(1), keys: given, at: AT })),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
