import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { classifyReply } from '../../classification/classify.ts'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { classifyClaim } from './classify-claim.ts'

/** See its README. No rule may be written for one of these replies. */
const FIXTURES = join(import.meta.dirname, '../../../test/fixtures')
const FILE = join(FIXTURES, 'held-back-replies/replies.txt')

const replies = readFileSync(FILE, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, want, code, text] = /^(hard|soft) (\d{3}) (.*)$/.exec(line) ?? []
    return want === undefined || code === undefined || text === undefined ? [] : [{ want, code, text }]
  })
const hard = replies.filter(({ want }) => want === 'hard')
const soft = replies.filter(({ want }) => want === 'soft')

/** The text without its codes, in lower case and without a final dot. */
const bareText = (text: string) =>
  text
    .toLowerCase()
    .replace(/^(?:\d{3}[ -])?(?:#?5\.\d{1,3}\.\d{1,3}[ :]+)?/, '')
    .replace(/[. ]+$/, '')

/** Texts of the authors of the rules. A held-back phrase that equals one of these was not held back. */
const known = new Set(
  readdirSync(join(FIXTURES, 'notice-texts'))
    .filter((name) => /^(?:replies|families)/.test(name))
    .flatMap((name) => readFileSync(join(FIXTURES, 'notice-texts', name), 'utf8').split('\n'))
    .map((line) => bareText(line.replace(/^(?:(?:hard|soft) (?:(?:dot|words) )?|\w+ \S+ (?=.*\D))/, ''))),
)
const isNew = ({ text }: (typeof replies)[number]) => !known.has(bareText(text))

/** Returns whether a DSN that quotes the reply to RCPT is a hard bounce. */
function isHard({ code, text }: (typeof replies)[number]): boolean {
  const { verdict } = classifyClaim({
    address: 'ann@x.test',
    action: 'failed',
    status: null,
    diagnostic: `${code} ${text}`,
    context: [],
    stage: 'rcpt',
    host: null,
    reporter: null,
  })
  return verdict !== null && isHardBounce(verdict)
}

const suppresses = ({ code, text }: (typeof replies)[number]) =>
  classifyReply({ code: Number(code), enhanced: null, text }, 'rcpt').suppress

test('hard: at least 90 % of the permanent ones', () => {
  expect(hard.length).toBe(50)
  expect(hard.filter(isHard).length).toBeGreaterThanOrEqual(45)
  expect(hard.filter(suppresses).length).toBeGreaterThanOrEqual(42)
})

test('not hard: all others but one, and none of them suppresses', () => {
  expect(soft.length).toBe(251)
  expect(soft.filter(isHard).length).toBeLessThanOrEqual(1)
  expect(soft.filter(suppresses)).toEqual([])
})

test('with a code of policy: at least 84 % of the permanent ones, and none of the others', () => {
  const hidden = (row: (typeof replies)[number]) => ({ ...row, code: '554', text: `5.7.1 ${row.text}` })
  expect(hard.map(hidden).filter(isHard).length).toBeGreaterThanOrEqual(42)
  expect(soft.map(hidden).filter(isHard)).toEqual([])
})

test('of the phrases that no other table has: at least 86 % of the permanent ones, and none of the others suppresses', () => {
  const [newHard, newSoft] = [hard.filter(isNew), soft.filter(isNew)]
  expect([newHard.length, newSoft.length]).toEqual([36, 232])
  expect(newHard.filter(isHard).length).toBeGreaterThanOrEqual(31)
  expect(newSoft.filter(isHard)).toEqual([])
  expect(newSoft.filter(suppresses)).toEqual([])
})
