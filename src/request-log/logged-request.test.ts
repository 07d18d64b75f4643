import { expect, test } from 'vitest'
import type { ErrorBody } from '../http/connections/error-body.ts'
import type { AnsweredRequest } from './answered-request.ts'
import { storedRequest } from './logged-request.ts'

const storedError = (error: ErrorBody | null) =>
  storedRequest({ error, userAgent: null } as AnsweredRequest).error

test('a user agent without addresses', () => {
  const request = { error: null, userAgent: 'Shop/1.0 (for jane@receiver.test)' } as AnsweredRequest
  expect(storedRequest(request).userAgent).toBe('Shop/1.0 (for …)')
})

test('null without an error', () => {
  expect(storedError(null)).toBeNull()
})

test('without addresses and controls, in messages and in names of fields', () => {
  const message = 'The address jane@receiver.test\u202e is bad.'
  const error = { statusCode: 422, name: 'validation_error', message }
  const hidden = 'The address … is bad.'
  const stored = storedError({ ...error, errors: { 'headers.jane@receiver.test': [message, message] } })
  expect(JSON.stringify(stored)).not.toContain('jane')
  expect(JSON.stringify(stored)).not.toContain('\u202e')
  expect(stored?.message.replace(/…\S*/, '…')).toBe(hidden)
  expect(Object.values(stored?.errors ?? {})[0]).toHaveLength(1)
})

test('bounded in the length of texts and the number of fields', () => {
  const errors = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${'f'.repeat(1_000)}${index}`, ['ü'.repeat(10_000)]]),
  )
  const stored = storedError({ statusCode: 422, name: 'x', message: '\u0001'.repeat(10_000), errors })
  expect(Buffer.byteLength(JSON.stringify(stored))).toBeLessThan(8_000)
})
