import { expect, test } from 'vitest'
import type { SigningKey } from '../../domains/domain-keys.ts'
import type { LoadedMessage } from '../../queue/types.ts'
import { SignaturesAhead } from './signatures-ahead.ts'

const KEYS: readonly SigningKey[] = []

function begin(signature = Promise.resolve(Buffer.from('made'))) {
  const ahead = new SignaturesAhead()
  const message: LoadedMessage = { bytes: Buffer.from('x'), smtpUtf8: false }
  ahead.begin(message, { form: 'rsa', keys: KEYS, signature })
  return { ahead, message }
}

test('taken once, by the delivery of the same message', async () => {
  const { ahead, message } = begin()
  expect(ahead.take({ ...message }, 'rsa', KEYS)).toBeNull()
  expect(await ahead.take(message, 'rsa', KEYS)).toEqual(Buffer.from('made'))
  expect(ahead.take(message, 'rsa', KEYS)).toBeNull()
})

test('not taken for a relay, which gets another form', () => {
  const { ahead, message } = begin()
  expect(ahead.take(message, 'relay-date', KEYS)).toBeNull()
})

test('not taken after the keys of the domain were loaded again', () => {
  const { ahead, message } = begin()
  expect(ahead.take(message, 'rsa', [])).toBeNull()
})

test('forgotten when it failed, so that the delivery signs again', async () => {
  const failing = Promise.reject(new Error('no thread'))
  const { ahead, message } = begin(failing)
  await failing.catch(() => {})
  await Promise.resolve()
  expect(ahead.take(message, 'rsa', KEYS)).toBeNull()
})
