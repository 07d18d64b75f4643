import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

test('the guide for developers says what each opt-in suite needs', () => {
  const suites = globSync('*.optin.test.ts', { cwd: join(ROOT, 'test', 'optin') })
  const [, section = ''] = readFileSync(join(ROOT, 'docs', 'development.md'), 'utf8').split(
    '### Opt-in tests\n',
  )
  const rows = [...section.matchAll(/^\| (`[^|]+`) \| [^|]+ \|$/gm)].map(([, names = '']) => names)
  const named = rows.flatMap((names) => [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(suites.map((file) => file.replace('.optin.test.ts', '')).sort())
})
