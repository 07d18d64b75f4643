import { expect, test } from 'vitest'
import { makeReturnPath, readReturnPath } from './return-path.ts'
import { makeUnsubscribeAddress, readUnsubscribeAddress } from './unsubscribe-address.ts'

const KEY = Buffer.alloc(32, 7)
const RECIPIENT = { teamTag: 'abcd2345', emailId: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', no: 149 }
const ADDRESS = makeUnsubscribeAddress(KEY, 'mail.example.com', RECIPIENT)
const [LOCAL = ''] = ADDRESS.split('@')

test('genuine: an address with 58 characters before the @ that is read back, also in upper case', () => {
  expect(ADDRESS).toMatch(/^unsub-[a-z2-7]{52}@mail\.example\.com$/)
  expect(readUnsubscribeAddress(KEY, LOCAL)).toEqual(RECIPIENT)
  expect(readUnsubscribeAddress(KEY, LOCAL.toUpperCase())).toEqual(RECIPIENT)
})

test('forged: one changed character anywhere, another key, no prefix', () => {
  for (let at = 0; at < LOCAL.length; at++) {
    const changed = `${LOCAL.slice(0, at)}${LOCAL[at] === 'a' ? 'b' : 'a'}${LOCAL.slice(at + 1)}`
    expect(readUnsubscribeAddress(KEY, changed)).toBeNull()
  }
  expect(readUnsubscribeAddress(Buffer.alloc(32, 8), LOCAL)).toBeNull()
  expect(readUnsubscribeAddress(KEY, LOCAL.slice('unsub-'.length))).toBeNull()
})

test('forged: made from a return path, which has another key', () => {
  const { teamTag, emailId, no } = RECIPIENT
  const returnPath = makeReturnPath(Buffer.alloc(32, 9), teamTag, emailId, no)
  expect(readUnsubscribeAddress(KEY, `unsub-${returnPath}`)).toBeNull()
  expect(readReturnPath(Buffer.alloc(32, 9), LOCAL)).toBeNull()
})
