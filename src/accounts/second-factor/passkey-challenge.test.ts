import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CHALLENGE_MS, deriveChallengeKey, newChallenge, readChallenge } from './passkey-challenge.ts'
import { relyingPartyOf } from './relying-party.ts'

const key = deriveChallengeKey(randomBytes(32))
const now = new Date('2026-03-01T12:00:00Z')
const subject = { purpose: 'login', id: 'ann' } as const
const challenge = newChallenge(key, subject, now).toString('base64url')

test('valid for five minutes and no longer', () => {
  const last = new Date(now.getTime() + CHALLENGE_MS - 1)
  expect(readChallenge(key, subject, challenge, last)?.expiresAt).toEqual(
    new Date(now.getTime() + CHALLENGE_MS),
  )
  expect(readChallenge(key, subject, challenge, new Date(last.getTime() + 1))).toBeNull()
})

test('null for another purpose, subject or key, and with any bit changed', () => {
  expect(readChallenge(key, { ...subject, purpose: 'registration' }, challenge, now)).toBeNull()
  expect(readChallenge(key, { ...subject, id: 'bob' }, challenge, now)).toBeNull()
  expect(readChallenge(deriveChallengeKey(randomBytes(32)), subject, challenge, now)).toBeNull()
  const bytes = Buffer.from(challenge, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(readChallenge(key, subject, changed.toString('base64url'), now)).toBeNull()
  }
  for (const text of ['', 'AAAA', `${challenge}AAAA`])
    expect(readChallenge(key, subject, text, now)).toBeNull()
})

test('unique even within a millisecond; the same hash in any base64url spelling', () => {
  expect(newChallenge(key, subject, now).toString('base64url')).not.toBe(challenge)
  const { hash } = readChallenge(key, subject, challenge, now) ?? {}
  expect(readChallenge(key, subject, `${challenge}==`, now)?.hash).toEqual(hash)
})

test('the host and origin of PUBLIC_URL; 409 if browsers do not support passkeys there', () => {
  expect(relyingPartyOf('https://mail.sender.test/base')).toEqual({
    id: 'mail.sender.test',
    origin: 'https://mail.sender.test',
  })
  expect(relyingPartyOf('http://localhost:8080')).toEqual({
    id: 'localhost',
    origin: 'http://localhost:8080',
  })
  for (const url of [
    'http://mail.sender.test',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'http://127.0.0.1:80',
  ])
    expect(() => relyingPartyOf(url), url).toThrow(/PUBLIC_URL/)
})
