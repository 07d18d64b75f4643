import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { givenBrowser, givenUser } from '../../../test/support/browsing.ts'
import { tokenOf } from '../../../test/support/people.ts'
import { insertMembership, lockMembership } from '../../access/memberships-queries.ts'
import type { Role } from '../../access/roles.ts'
import type { Tx } from '../../db/db-types.ts'
import { invitationRoutes } from '../invitations/invitations-routes.ts'
import { teamInvitationRoutes } from '../invitations/team-invitations-routes.ts'
import { createPasswords } from '../passwords/password-hash.ts'
import { removeUser } from './remove-user.ts'
import { teamMemberRoutes } from './team-members-routes.ts'

let api: Api
let teamId: string

beforeAll(async () => {
  api = await startApi({
    routes: [...invitationRoutes, ...teamInvitationRoutes, ...teamMemberRoutes],
    deps: { passwords: createPasswords(), sendAccountMail: async () => 'unsendable' },
  })
  teamId = (await api.givenTeam()).id
})
afterAll(() => api.stop())

async function givenMember(role: Role) {
  const user = await givenUser(api)
  const times = { createdAt: new Date(), updatedAt: new Date() }
  await api.db.transaction((tx) => insertMembership(tx, { teamId, userId: user.id, role, ...times }))
  return { ...user, ask: (await givenBrowser(api, user)).inTeam(teamId) }
}

/** Locks with `lock` until the returned function is called. */
async function hold(lock: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const over = api.db.transaction(async (tx) => {
    await lock(tx)
    held()
    await released
  })
  await isHeld
  return async () => {
    release()
    await over
  }
}

/** Waits until this many statements wait for a lock. */
const expectWaiting = (count: number) =>
  expect
    .poll(async () => {
      const rows = await api.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length
    })
    .toBe(count)

test.each(['POST /team/invitations/:id/resend', 'DELETE /team/invitations/:id'])(
  '200 for who removes an admin, who hears 404 of a %s at the same moment: neither waits for the other',
  async (route) => {
    const owner = await givenMember('owner')
    const admin = await givenMember('admin')
    const given = { email: `${admin.id}@people.test`, role: 'viewer' }
    const { id } = (await admin.ask('POST /team/invitations', given)).json
    const release = await hold((tx) => lockMembership(tx, teamId, admin.id))
    const removal = owner.ask(`DELETE /team/members/${admin.id}`)
    await expectWaiting(1)
    const own = admin.ask(route.replace(':id', id))
    await expectWaiting(2)
    await release()
    expect([(await removal).status, (await own).status]).toEqual([200, 404])
  },
)

test('a user who is removed while joining a team leaves no membership behind', async () => {
  const owner = await givenMember('owner')
  const user = await givenUser(api)
  const invited = await owner.ask('POST /team/invitations', { email: user.email, role: 'owner' })
  const browser = await givenBrowser(api, user)
  const release = await hold((tx) =>
    tx.query('select 1 from invitation where team_id = $1 and id = $2 for update', [teamId, invited.json.id]),
  )
  const joined = browser.ask('POST /invitations/accept', { token: tokenOf(invited.json.link) })
  await expectWaiting(1)
  const removed = removeUser(api.db, user.id, false)
  await expectWaiting(2)
  await release()
  expect((await joined).status).toBe(200)
  expect(await removed).toBe(true)
  expect(await api.db.query('select 1 from membership where user_id = $1', [user.id])).toEqual([])
})
