import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveKey, openSecret, seal, unseal } from './seal.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-seal-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const master = Buffer.alloc(32, 7)
const key = deriveKey(master, 'test')

test('a sealed value opens again, for any bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 3000 })
  fc.assert(
    fc.property(bytes, fc.string(), (plaintext, context) => {
      expect(unseal(key, seal(key, Buffer.from(plaintext), context), context)).toEqual(Buffer.from(plaintext))
    }),
  )
})

test('the same value sealed twice differs', () => {
  expect(seal(key, Buffer.from('x'), 'c')).not.toEqual(seal(key, Buffer.from('x'), 'c'))
})

test('refused after a change of any one bit, of the context, or of the key', () => {
  const sealed = seal(key, Buffer.from('private'), 'dkim a')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => unseal(key, changed, 'dkim a')).toThrow('sealed value')
  }
  expect(() => unseal(key, sealed, 'dkim b')).toThrow('does not open')
  expect(() => unseal(deriveKey(master, 'other'), sealed, 'dkim a')).toThrow('does not open')
  expect(() => unseal(key, sealed.subarray(0, 20), 'dkim a')).toThrow('unknown form')
  expect(() => unseal(key, Buffer.alloc(0), 'dkim a')).toThrow('unknown form')
})

test('the secret is created once, readable by its owner only, and never changes', async () => {
  const all = await Promise.all([openSecret(folder, null), openSecret(folder, null)])
  expect(all[0]).toHaveLength(32)
  expect(all[1]).toEqual(all[0])
  expect(await openSecret(folder, null)).toEqual(all[0])
  expect(readdirSync(folder)).toEqual(['secret-key'])
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
  const configured = readFileSync(join(folder, 'secret-key'), 'utf8').trim()
  expect(await openSecret('/nowhere', configured)).toEqual(all[0])
})

test('a configured secret creates no file and gives another key', async () => {
  expect(await openSecret('/nowhere', 'a'.repeat(32))).not.toEqual(
    await openSecret('/nowhere', 'b'.repeat(32)),
  )
})

test('refused when the file is damaged, and the file stays as it is', async () => {
  writeFileSync(join(folder, 'secret-key'), 'short\n')
  await expect(openSecret(folder, null)).rejects.toThrow('is damaged')
  expect(readFileSync(join(folder, 'secret-key'), 'utf8')).toBe('short\n')
})
