import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { API_ROUTES } from '../app/routes.ts'
import { AREAS_WITHOUT_TEAM, areasOf, leastRole, PERMISSIONS } from './permissions.ts'
import { isAtLeast, ROLES, type Role } from './roles.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8')

/** `| Emails | member | member |` as a row of three words. */
const ROWS = TEXT.split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every route of a team is in an area of the table, and every other in none', () => {
  for (const { tag, permission, path } of API_ROUTES) {
    const hasTeam = !['public', 'user', 'operator'].includes(permission)
    if (hasTeam) expect(Object.keys(PERMISSIONS), path).toContain(tag)
    else expect([...AREAS_WITHOUT_TEAM, ...Object.keys(PERMISSIONS)], path).toContain(tag)
  }
})

test('documented as it is: areas, and who reads and changes each', () => {
  const rows = ROWS.filter(([, area]) => area !== 'Area').map(([, ...cells]) => cells.slice(0, 3))
  const table = Object.entries(PERMISSIONS).map(([tag, { read, change }]) => [tag, read, change])
  expect(rows.toSorted()).toEqual(table.toSorted())
})

test('who may change may read; each role may all that those below it may', () => {
  for (const { read, change } of Object.values(PERMISSIONS)) expect(isAtLeast(change, read)).toBe(true)
  for (const [index, role] of ROLES.entries()) {
    const lower = ROLES[index - 1] as Role | undefined
    if (lower === undefined) continue
    expect(areasOf(role).mayRead).toEqual(expect.arrayContaining(areasOf(lower).mayRead))
    expect(areasOf(role).mayChange).toEqual(expect.arrayContaining(areasOf(lower).mayChange))
  }
})

test('every area that the dashboard asks about is one of the table', () => {
  const web = join(import.meta.dirname, '../../web')
  const pages = globSync('{api,app,pages,ui}/**/*.{ts,tsx}', { cwd: web })
  const asked = pages
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(web, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/(?:\barea: |\b(?:read|change)\()'([A-Z][^']*)'/g)])
    .map(([, area = '']) => area)
  expect(asked.length).toBeGreaterThan(10)
  expect(Object.keys(PERMISSIONS)).toEqual(expect.arrayContaining([...new Set(asked)]))
})

test("an area that is not in the table is its owners' alone", () => {
  expect(leastRole({ method: 'GET', tag: 'Nowhere' })).toBe('owner')
})
