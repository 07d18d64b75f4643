import { expect, test } from 'vitest'
import { changedFields, saveRequest } from './save-request.ts'

const BEFORE = { name: 'Shop', events: ['email.sent'], expires_at: null }

test('only changed fields are sent, also those that were cleared', () => {
  expect(changedFields({ ...BEFORE, events: ['email.sent'] }, BEFORE)).toEqual({})
  expect(changedFields({ ...BEFORE, name: '', events: [] }, BEFORE)).toEqual({ name: '', events: [] })
})

test('a new record is sent whole', () => {
  expect(saveRequest({ path: '/webhooks', id: null }, BEFORE, BEFORE)).toEqual({
    path: '/webhooks',
    method: 'POST',
    body: BEFORE,
  })
  expect(saveRequest({ path: '/webhooks', id: 'a' }, { ...BEFORE, name: 'Store' }, BEFORE)).toEqual({
    path: '/webhooks/a',
    method: 'PATCH',
    body: { name: 'Store' },
  })
})
