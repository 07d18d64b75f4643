import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { PROJECT_FOLDER } from '../lib/project-folder.ts'
import { cellOfToken, digestKey, newKeyToken } from './key-token.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (digits: string) =>
  [...digits].reduce((sum, digit) => sum * BASE62.length + BASE62.indexOf(digit), 0)

test.each([
  [null, /^sw_[0-9A-Za-z]{40}$/],
  ['a1', /^sw_a1_[0-9A-Za-z]{40}$/],
  ['eucentr1', /^sw_eucentr1_[0-9A-Za-z]{40}$/],
])('a key of the cell %s has its form, and a checksum over cell and characters', (cell, form) => {
  const token = newKeyToken(cell)
  expect(token).toMatch(form)
  expect(numberOf(token.slice(-6))).toBe(crc32(token.slice('sw_'.length, -6)))
  expect(newKeyToken(cell)).not.toBe(token)
})

test.each([
  ['sw_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0fDsAyEuI2oKw', 'sw_4Kd9w', null],
  ['sw_a1_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0fDsAyEuI2oKw', 'sw_a1_4Kd9w', 'a1'],
  ['a-key-of-your-own-with-32-or-more-characters', 'a-key-of', null],
  ['sw_toolongname_4Kd9wQ2mZ7xT1cV5bN8rL3pJ6hG0f', 'sw_toolo', null],
  ['', '', null],
])('of the token "%s", "%s" is shown, and its cell is %s', (token, prefix, cell) => {
  expect(digestKey(token).prefix).toBe(prefix)
  expect(cellOfToken(token)).toBe(cell)
})

test.each([null, 'a', 'eucentr1'])(
  'the documented pattern finds all of a key of the cell %s, and nothing shorter',
  (cell) => {
    const guide = readFileSync(join(PROJECT_FOLDER, 'docs/guides/api-keys.md'), 'utf8')
    const [, pattern = ''] = /Secret scanners find keys with `([^`]+)`/.exec(guide) ?? []
    const token = newKeyToken(cell)
    expect(new RegExp(pattern).exec(`key="${token}"`)?.[0]).toBe(token)
    expect(new RegExp(pattern).test(`key="${token.slice(0, -1)}"`)).toBe(false)
  },
)
