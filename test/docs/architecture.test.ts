import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

test('the diagram of docs/architecture.md has every room of the source', () => {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const drawn = text.slice(text.indexOf('## Rooms'), text.indexOf('## Path of an email'))
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(rooms.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(drawn))).toEqual([])
})

test('the table of floors in docs/architecture.md has every folder of a room above those that it imports', () => {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const table = text.slice(text.indexOf('| Room | Folders |')).split('\n\n', 1)[0] ?? ''
  const rows = [...table.matchAll(/^\| `([a-z-]+)` \| ([a-z.][a-z., <-]*) \|$/gm)]
  const floors = new Map<string, number>(
    rows.flatMap(([, room, order = '']) =>
      order
        .split(' < ')
        .flatMap((folders, floor) => folders.split(', ').map((folder) => [`${room}/${folder}`, floor])),
    ),
  )
  const folderOf = (file: string): string => {
    const [room, ...rest] = dirname(relative(join(ROOT, 'src'), file)).split('/')
    return `${room}/${rest[0] ?? '.'}`
  }
  const files = globSync('src/*/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).map((file) =>
    join(ROOT, file),
  )
  const folders = [...new Set(files.map(folderOf))]
  const divided = new Set(folders.filter((one) => !one.endsWith('/.')).map((one) => one.split('/')[0]))
  expect([...floors.keys()].sort()).toEqual(folders.filter((one) => divided.has(one.split('/')[0])).sort())
  const uphill = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export|\})[^'\n]* from '(\.[^']+)'/gm)].flatMap(
      ([, target = '']) => {
        const [from, to] = [folderOf(file), folderOf(join(dirname(file), target))]
        const isInside = from !== to && from.split('/')[0] === to.split('/')[0]
        return isInside && (floors.get(to) ?? 0) >= (floors.get(from) ?? 0)
          ? [`${relative(ROOT, file)} -> ${to}`]
          : []
      },
    ),
  )
  expect(uphill).toEqual([])
})
