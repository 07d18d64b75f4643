import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
const ROOMS = [...new Set(SOURCES.flatMap((file) => /^src\/[\w-]+(?=\/)/.exec(file)?.[0] ?? []))].sort()

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Returns the folder of a room that has this file, or null for a file of the room itself. */
const folderOf = (room: string, file: string): string | null =>
  file.startsWith(`${room}/`) ? (/^[^/]+(?=\/)/.exec(relative(room, file))?.[0] ?? null) : null

// An import, a search or a stack trace then names one thing.
test('an exported name is defined once', () => {
  const files = new Map<string, string[]>()
  const exported = /^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
  for (const file of SOURCES) {
    // A function has a line for each of its overloads, and a schema may share its name with its type.
    for (const name of new Set([...textOf(file).matchAll(exported)].map(([, name = '']) => name))) {
      files.set(name, [...(files.get(name) ?? []), file])
    }
  }
  expect([...files].filter(([, definitions]) => definitions.length > 1)).toEqual([])
})

describe('the README of a room', () => {
  const README = 'README.md'
  const DOORS = [...ROOMS, 'web'].map((room) => `${room}/${README}`)

  test('is there for every room, and for the dashboard', () => {
    expect(DOORS.filter((door) => !existsSync(join(ROOT, door)))).toEqual([])
  })

  test('names every folder of the room after the folders that it imports', () => {
    expect(ROOMS.flatMap(misplacedFolders)).toEqual([])
  })

  test('names the folders of the dashboard from the ground up', () => {
    expect(namedFolders('web')).toEqual(['api', 'ui', 'pages', 'app'])
  })

  test('names only files and folders that exist', () => {
    const missing = DOORS.flatMap((door) =>
      [...textOf(door).matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|mjs|md)))`/g)]
        .map(([, name = '']) => name)
        // Such as `-routes.ts`, the end of several names.
        .filter((name) => !name.startsWith('-'))
        .filter((name) => !['', 'src', dirname(door)].some((base) => existsSync(join(ROOT, base, name))))
        .map((name) => `${door}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  function namedFolders(room: string): string[] {
    return [...textOf(`${room}/${README}`).matchAll(/^- `([\w-]+)\/`:/gm)].map(([, folder = '']) => folder)
  }

  function misplacedFolders(room: string): string[] {
    const files = SOURCES.filter((file) => file.startsWith(`${room}/`))
    const folders = new Set(files.flatMap((file) => folderOf(room, file) ?? []))
    const named = namedFolders(room)
    const unnamed = [...folders].filter((folder) => !named.includes(folder))
    const early = files.flatMap((file) => {
      const place = named.indexOf(folderOf(room, file) ?? '')
      return targetsOf(file)
        .filter((target) => place !== -1 && named.indexOf(folderOf(room, target) ?? '') > place)
        .map((target) => `${file} -> ${target}`)
    })
    return [...unnamed.map((folder) => `${room}/${folder}`), ...early]
  }

  function targetsOf(file: string): string[] {
    const imports = textOf(file).matchAll(/^(?:import|export|\})[^'\n]* from '(\.[^']+)'/gm)
    return [...imports].map(([, target = '']) => relative(ROOT, resolve(ROOT, dirname(file), target)))
  }
})
