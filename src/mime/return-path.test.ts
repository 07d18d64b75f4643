import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeReturnPath, newTeamTag, readReturnPath } from './return-path.ts'

const SECRET = Buffer.alloc(32, 7)
const ID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const TOKEN = makeReturnPath(SECRET, 'abcd2345', ID, 149)

test('genuine: 52 characters of a-z2-7 that are read back, also in upper case', () => {
  expect(TOKEN).toMatch(/^[a-z2-7]{52}$/)
  expect(readReturnPath(SECRET, TOKEN)).toEqual({ teamTag: 'abcd2345', emailId: ID, no: 149 })
  expect(readReturnPath(SECRET, TOKEN.toUpperCase())).toEqual({ teamTag: 'abcd2345', emailId: ID, no: 149 })
})

test('genuine: every email and every recipient is read back', () => {
  const number = fc.integer({ min: 0, max: 1023 })
  fc.assert(
    fc.property(fc.uuid(), number, (emailId, no) => {
      const teamTag = newTeamTag()
      expect(readReturnPath(SECRET, makeReturnPath(SECRET, teamTag, emailId, no))).toEqual({
        teamTag,
        emailId,
        no,
      })
    }),
  )
})

test('forged: any single changed character is detected', () => {
  for (let at = 0; at < TOKEN.length; at++) {
    const changed = `${TOKEN.slice(0, at)}${TOKEN[at] === 'a' ? 'b' : 'a'}${TOKEN.slice(at + 1)}`
    expect(readReturnPath(SECRET, changed)).toBeNull()
  }
})

test.each([
  '',
  'bounces',
  TOKEN.slice(1),
  `${TOKEN}a`,
  TOKEN.replace(/.$/, '1'),
  TOKEN.replace(/.$/, 'é'),
  'a'.repeat(52),
  '\u0130'.repeat(52),
  'a'.repeat(1_000_000),
])('forged: %.60s is none of ours', (localPart) => {
  expect(readReturnPath(SECRET, localPart)).toBeNull()
})

test('foreign: a token that was made with another secret', () => {
  expect(readReturnPath(Buffer.alloc(32, 8), TOKEN)).toBeNull()
})

test('refused: a recipient or team tag that does not fit', () => {
  expect(() => makeReturnPath(SECRET, 'abcd2345', ID, 1024)).toThrow(RangeError)
  expect(() => makeReturnPath(SECRET, 'ABCD2345', ID, 0)).toThrow(RangeError)
})

test('new team tags have eight characters and differ', () => {
  const tags = new Set(Array.from({ length: 1000 }, newTeamTag))
  expect(tags.size).toBe(1000)
  for (const tag of tags) expect(tag).toMatch(/^[a-z2-7]{8}$/)
})
