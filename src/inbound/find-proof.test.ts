import { expect, test } from 'vitest'
import { makeReturnPath } from '../mime/return-path.ts'
import { makeUnsubscribeAddress } from '../mime/unsubscribe-address.ts'
import { findProof } from './find-proof.ts'

const KEYS = { returnPath: Buffer.alloc(32, 1), unsubscribe: Buffer.alloc(32, 2) }
const RECIPIENT = { teamTag: 'abcd2345', emailId: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', no: 3 }
const { teamTag, emailId, no } = RECIPIENT
const TOKEN = makeReturnPath(KEYS.returnPath, teamTag, emailId, no)
const UNSUBSCRIBE = makeUnsubscribeAddress(KEYS.unsubscribe, 'mail.example.com', RECIPIENT)

const proofIn = (header: string, returnPath: string | null = null) =>
  findProof(KEYS, { returnPath, messageId: null, header: Buffer.from(header) })

test.each([
  `Return-Path: <${TOKEN}@bounce.example.com>`,
  `Return-Path: <prvs=1234abcdef=${TOKEN}@bounce.example.com>`,
  `Return-Path: <SRS0=hash=tt=bounce.example.com=${TOKEN}@forwarder.example>`,
  `Return-Path: <list-return-${TOKEN}=bounce.example.com@forwarder.example>`,
  `Received-SPF: pass (x: 192.0.2.1) envelope-from="${TOKEN.toUpperCase()}@bounce.example.com";`,
  `List-Unsubscribe: <mailto:${UNSUBSCRIBE}>, <https://example.com/u>`,
  `X-One: ${'a'.repeat(52)}@x.example\r\nX-Two: ${TOKEN}@y.example`,
])('proven by %.40s', (header) => {
  expect(proofIn(header)).toEqual(RECIPIENT)
})

test('proven by the return path alone', () => {
  expect(findProof(KEYS, { returnPath: `${TOKEN}@x.example`, messageId: null, header: null })).toEqual(
    RECIPIENT,
  )
})

test.each([
  '',
  'Message-ID: <0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b@example.com>',
  `Return-Path: <a${TOKEN}@bounce.example.com>`,
  `Return-Path: <${TOKEN.slice(1)}@bounce.example.com>`,
  `Return-Path: <${TOKEN.slice(0, -1)}${TOKEN.endsWith('a') ? 'b' : 'a'}@bounce.example.com>`,
  `Return-Path: <${makeReturnPath(KEYS.unsubscribe, teamTag, emailId, no)}@bounce.example.com>`,
])('not proven by %.60s', (header) => {
  expect(proofIn(header)).toBeNull()
})

test('not proven, quickly, for a header full of candidates', () => {
  expect(proofIn(`${`${'a'.repeat(52)}@x `.repeat(1200)}${TOKEN}@y.example`)).toBeNull()
  expect(proofIn('a'.repeat(65_536))).toBeNull()
  expect(proofIn('unsub-'.repeat(10_000))).toBeNull()
})
