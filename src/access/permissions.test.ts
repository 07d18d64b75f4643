import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { API_ROUTES } from '../app/routes.ts'
import { AREAS, areasOf, leastRole } from './permissions.ts'
import { isAtLeast, ROLES, type Role } from './roles.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/permissions.md'), 'utf8')

/** The roles of the areas with a team, by their names. */
const TABLE = Object.values(AREAS).flatMap(({ tag, roles }) => (roles === null ? [] : [{ tag, ...roles }]))

/** The rows of the table `| Emails | member | member |`, split into cells. */
const ROWS = TEXT.split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('every team route belongs to an area of the table, and no other route does', () => {
  for (const { area, permission, path } of API_ROUTES) {
    const hasTeam = !['public', 'user', 'operator'].includes(permission)
    if (hasTeam) expect(AREAS[area].roles, path).not.toBeNull()
    else expect(Object.keys(AREAS), path).toContain(area)
  }
})

test('the documented areas and roles equal the table', () => {
  const rows = ROWS.filter(([, area]) => area !== 'Area').map(([, ...cells]) => cells.slice(0, 3))
  const table = TABLE.map(({ tag, read, change }) => [tag, read, change])
  expect(rows.toSorted()).toEqual(table.toSorted())
})

test('the change permission includes read; each role includes the lower ones', () => {
  for (const { read, change } of TABLE) expect(isAtLeast(change, read)).toBe(true)
  for (const [index, role] of ROLES.entries()) {
    const lower = ROLES[index - 1] as Role | undefined
    if (lower === undefined) continue
    expect(areasOf(role).mayRead).toEqual(expect.arrayContaining(areasOf(lower).mayRead))
    expect(areasOf(role).mayChange).toEqual(expect.arrayContaining(areasOf(lower).mayChange))
  }
})

test('every area that the dashboard uses is in the table', () => {
  const web = join(import.meta.dirname, '../../web')
  const pages = globSync('{api,app,pages,ui}/**/*.{ts,tsx}', { cwd: web })
  const asked = pages
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(web, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/(?:\barea: |\b(?:read|change)\()'([A-Z][^']*)'/g)])
    .map(([, area = '']) => area)
  expect(asked.length).toBeGreaterThan(10)
  expect(TABLE.map(({ tag }) => tag)).toEqual(expect.arrayContaining([...new Set(asked)]))
})

test('an area that is not in the table requires the owner role', () => {
  expect(leastRole({ method: 'GET', area: 'operator' })).toBe('owner')
})
