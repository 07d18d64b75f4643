import { expect, test } from 'vitest'
import { renderOperation } from './docs-operation.ts'

test.each([
  ['an API key', undefined, 'Authorization: Bearer sw_...'],
  ['the operator token', [{ operatorToken: [] }, { session: [] }], '$SENDWRIGHT_OPERATOR_TOKEN'],
])('the request to copy carries %s if the operation accepts that', (_, security, credential) => {
  const content = { summary: 'Read it', ...(security && { security }), responses: {} }
  const page = renderOperation({ id: 'read', method: 'GET', path: '/it', content }, 'https://mail.test')
  expect(page).toContain(credential)
})

test('an operation that only a session can call has no request to copy', () => {
  const content = { summary: 'Read it', security: [{ session: [] }], responses: {} }
  const page = renderOperation({ id: 'read', method: 'GET', path: '/it', content }, 'https://mail.test')
  expect(page).not.toContain('curl')
})

test('the request to copy of a public operation carries nothing', () => {
  const content = { summary: 'Read it', security: [], responses: {} }
  const page = renderOperation({ id: 'read', method: 'GET', path: '/it', content }, 'https://mail.test')
  expect(page).not.toMatch(/Bearer/)
})
