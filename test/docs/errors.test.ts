import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const CONFLICT = /new Refusal\(\s*'conflict',\s*(['`])(.+?)\1/g

test('docs/errors.md has every message of a conflict', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  const messages = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(CONFLICT)].map(([, , message]) => message as string),
  )
  expect(messages.length).toBeGreaterThan(10)
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  expect([...new Set(messages)].filter((message) => !rowOf(message).test(page))).toEqual([])
})

/** A row of the table that begins with the message; what the code puts into it may be anything. */
function rowOf(message: string): RegExp {
  const parts = message.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^()|[\]\\{}$]/g, '\\$&'))
  return new RegExp(`^\\| ${parts.join('.+')} \\|`, 'm')
}
