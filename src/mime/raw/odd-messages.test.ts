import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { isProblem } from './message-problem.ts'
import { repairRawMessage } from './raw-message.ts'

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/odd-messages')
const EXPECTED = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<
  string,
  { from: [string, string]; subject: string; text: string }
>

test('each message of the folder is expected', () => {
  const names = readdirSync(FOLDER).flatMap((name) => (name.endsWith('.eml') ? [name.slice(0, -4)] : []))
  expect(names.sort()).toEqual(Object.keys(EXPECTED).sort())
})

test.each(Object.entries(EXPECTED))(
  '%s: two parsers find the same sender, subject and text',
  async (name, wanted) => {
    const given = readFileSync(join(FOLDER, `${name}.eml`))
    const missing = { messageIdLocal: 'id', date: new Date(0) }
    const repaired = repairRawMessage(given, missing, { isMended: true })
    if (isProblem(repaired)) throw new Error(JSON.stringify(repaired))
    const [displayName, address] = wanted.from
    expect(repaired.from).toMatchObject({ name: displayName, address })
    const [one, other] = [await simpleParser(repaired.bytes), await PostalMime.parse(repaired.bytes)]
    expect(one.from?.value).toMatchObject([{ name: displayName, address }])
    expect(other.from).toMatchObject({ name: displayName, address })
    expect([one.subject, other.subject]).toEqual([wanted.subject, wanted.subject])
    expect([one.text?.trim(), other.text?.trim()]).toEqual([wanted.text, wanted.text])
    const lines = repaired.bytes.toString('latin1').split('\r\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998)
  },
)
