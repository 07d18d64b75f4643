import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readToken, signToken } from './signed-token.ts'

const secret = randomBytes(32)

test('reads back what was signed, and nothing under another secret', () => {
  const token = signToken(secret, Buffer.from('ann@example.com'))
  expect(readToken(secret, token)?.toString()).toBe('ann@example.com')
  expect(readToken(randomBytes(32), token)).toBeNull()
})

test('null for a token with any one character changed, added or left out', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. %'
  // Lengths with every remainder: the last base64 character has unused bits.
  for (const length of [1, 2, 3, 20]) {
    const token = signToken(secret, randomBytes(length))
    for (let at = 0; at < token.length; at++) {
      const [before, after] = [token.slice(0, at), token.slice(at + 1)]
      for (const other of alphabet.replace(token[at] ?? '', '')) {
        expect(readToken(secret, before + other + after)).toBeNull()
      }
      expect(readToken(secret, before + after)).toBeNull()
    }
    for (const other of alphabet) expect(readToken(secret, token + other)).toBeNull()
  }
})

test('null for texts that are not tokens', () => {
  for (const text of ['', 'A', '====', ' '.repeat(5000), 'A'.repeat(1_000_000), '\u0000', 'é'.repeat(40)]) {
    expect(readToken(secret, text)).toBeNull()
  }
})
