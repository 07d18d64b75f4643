import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SMTP_CODES, SMTP_CODES_BY_MESSAGE } from '../../src/inbound/submission/submission-replies.ts'

const ROOT = join(import.meta.dirname, '../..')
const CONFLICT = /new ApiError\(\s*'conflict',\s*(['`])(.+?)\1/g

test('docs/errors.md lists every conflict message', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const messages = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(CONFLICT)].map(([, , message]) => message as string),
  )
  expect(messages.length).toBeGreaterThan(10)
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  expect([...new Set(messages)].filter((message) => !rowOf(message).test(page))).toEqual([])
})

/** Returns a pattern for a table row that starts with the message, with any text for its placeholders. */
function rowOf(message: string): RegExp {
  const parts = message.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^()|[\]\\{}$]/g, '\\$&'))
  return new RegExp(`^\\| ${parts.join('.+')} \\|`, 'm')
}

test('docs/errors.md has the SMTP reply for every error', () => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  const section = page.slice(page.indexOf('## SMTP replies'), page.indexOf('The SMTP server also sends'))
  const rows = [...section.matchAll(/^\| (.+?) \| (\d{3}) (\d\.\d+\.\d+) \|/gm)]
  const documented = rows.map(([, name = '', code, enhanced]) => [
    name.replaceAll('`', ''),
    `${code} ${enhanced}`,
  ])
  const named = Object.entries(SMTP_CODES).map(([name, { code, enhanced }]) => [name, `${code} ${enhanced}`])
  const [byName, byMessage] = [documented.slice(0, named.length), documented.slice(named.length)]
  expect(byName).toEqual(named)
  for (const [message = '', said] of byMessage) {
    const { code, enhanced } = SMTP_CODES_BY_MESSAGE.find((row) => row.message.test(message))?.code ?? {}
    expect(`${code} ${enhanced}`, message).toBe(said)
  }
  for (const row of SMTP_CODES_BY_MESSAGE) {
    expect(byMessage.some(([message = '']) => row.message.test(message))).toBe(true)
  }
})
