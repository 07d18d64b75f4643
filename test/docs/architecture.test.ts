import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

test('the diagram of docs/architecture.md has every room of the source', () => {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const drawn = text.slice(text.indexOf('## Rooms'), text.indexOf('## Path of an email'))
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(rooms.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(drawn))).toEqual([])
})
