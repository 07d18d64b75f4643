import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashRequest } from './hash-request.ts'

const hashText = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

test.each([
  ['an email', { to: 'a@x.test', tags: [{ name: 'a', value: '1' }], html: 'é\u0000' }],
  ['null', null],
  ['a batch', [{ text: '"' }, {}]],
])('the hash of %s is that of its JSON', (_what, body) => {
  expect(hashRequest(body).toString('hex')).toBe(hashText(body))
})

test('octets have the hash of the array of numbers that they represent', () => {
  for (const count of [1, 3, 16_384, 16_385, 40_000]) {
    const data = Array.from({ length: count }, (_, index) => index % 256)
    const bodyWith = (octets: unknown) => ({ a: [{ data: octets }, { data: octets }], text: 'x' })
    expect(hashRequest(bodyWith(Uint8Array.from(data))).toString('hex')).toBe(hashText(bodyWith(data)))
  }
})
