import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

const read = (file: string) => readFileSync(join(ROOT, 'docs', file), 'utf8')

function suitesOf(folder: string, ending: string): string[] {
  return globSync(`*${ending}`, { cwd: join(ROOT, 'test', folder) }).map((file) => file.replace(ending, ''))
}

test('the guide for developers says what each opt-in suite needs', () => {
  const [, section = ''] = read('development.md').split('### Opt-in tests\n')
  const rows = [...section.matchAll(/^\| (`[^|]+`) \| [^|]+ \|$/gm)].map(([, names = '']) => names)
  const named = rows.flatMap((names) => [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(suitesOf('optin', '.optin.test.ts').sort())
})

test('the page about journeys has a row for each one', () => {
  const [table = ''] = read('journeys.md').split('## Opt-in tests')
  const named = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)
  expect([...new Set(named)].sort()).toEqual(suitesOf('journeys', '.test.ts').sort())
})
