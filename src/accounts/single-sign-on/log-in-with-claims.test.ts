import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { listMembershipsOf } from '../../access/memberships-queries.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../../lib/log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createTeam } from '../../teams/teams.ts'
import { logInWithClaims } from './log-in-with-claims.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('the process forgets the access of a person who has left the last group, although the login fails', async () => {
  const { db } = database
  const now = new Date()
  const team = await db.transaction((tx) => createTeam(tx, { name: 'Acme', plan: 'free' }, now))
  let forgotten = 0
  const deps = {
    db,
    clock: systemClock,
    log: createLog('silent'),
    forgetAccess: () => void forgotten++,
    config: {
      oidcDomains: ['people.test'],
      oidcGroupsClaim: 'groups',
      oidcRoles: [{ group: 'staff', role: 'viewer', teamId: team.id }],
      oidcSessionMs: 60_000,
    } as const,
  }
  const logIn = (groups: readonly string[]) =>
    logInWithClaims(deps, {
      issuer: 'https://login.acme.test',
      claims: { sub: 'ann', email: 'ann@people.test', email_verified: true, groups },
      browser: { ipAddress: '192.0.2.7', userAgent: null },
      requestId: newId(),
    })
  const first = await logIn(['staff'])
  const userId = 'started' in first ? first.started.session.userId : ''
  expect(await listMembershipsOf(db, userId)).toHaveLength(1)
  forgotten = 0
  await expect(logIn([])).rejects.toMatchObject({ problem: 'sso_no_access' })
  expect(await listMembershipsOf(db, userId)).toEqual([])
  expect(forgotten).toBe(1)
})
