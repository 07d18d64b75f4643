import { expect, test } from 'vitest'
import { documentedPath, recordedPath } from './recorded-path.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test('written as in the API document', () => {
  expect(documentedPath('/contacts/:id/lists/:listId')).toBe('/contacts/{id}/lists/{listId}')
})

test('with its ids, but without an address or any other text in place of an id', () => {
  const path = (id: string) => recordedPath('/contacts/:id', { id }, `/contacts/${id}`)
  expect(path(ID.toUpperCase())).toBe(`/contacts/${ID}`)
  expect(path('jane@receiver.test')).toBe('/contacts/{id}')
  expect(path(`${ID}x`)).toBe('/contacts/{id}')
})

test('without query, and with words and ids only, when no route has the path', () => {
  const path = (url: string) => recordedPath(null, {}, url)
  expect(path(`/email/${ID}?api_key=sw_secret`)).toBe(`/email/${ID}`)
  expect(path('/contacts/jane@receiver.test/topics')).toBe('/contacts/*/topics')
  expect(path('/sw_0123456789012345678901234567890123456789')).toBe('/*')
  expect(path('/sw_a1_0123456789012345678901234567890123456789')).toBe('/*')
  expect(path(`/${'a'.repeat(31)}/%6a`)).toBe('/*/*')
  expect(path('/emails/')).toBe('/emails/')
  expect(path('/a'.repeat(50))).toBe('/a'.repeat(10))
})
