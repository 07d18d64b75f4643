import { expect, test } from 'vitest'
import { AREAS } from '../../../src/access/permissions.ts'
import { ROLE_AREAS, rightOf } from './role-areas.ts'

test('the role table matches the permissions that the API enforces', () => {
  const told = Object.fromEntries(
    ROLE_AREAS.map(({ area, reads, changes }) => [area, { read: reads, change: changes }]),
  )
  const enforced = Object.values(AREAS).flatMap(({ tag, roles }) => (roles === null ? [] : [[tag, roles]]))
  expect(told).toEqual(Object.fromEntries(enforced))
})

test.each([
  ['viewer', 'none'],
  ['member', 'read'],
  ['admin', 'change'],
  ['owner', 'change'],
] as const)('%s of an area that members read and admins change: %s', (role, right) => {
  expect(rightOf(role, { area: 'Any', reads: 'member', changes: 'admin' })).toBe(right)
})
