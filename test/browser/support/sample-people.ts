import { newId } from '../../../src/base/ids.ts'
import { hashLinkToken } from '../../../src/operations/accounts/account-links.ts'
import { insertInvitation } from '../../../src/store/invitations.ts'
import type { Dashboard } from './dashboard.ts'

export interface PeopleSample {
  /** What stands behind `#token=` in the link of an open invitation. */
  invitationToken: string
}

const HOUR_MS = 3_600_000

/** A team of several people, and two who have not come yet. */
export async function fillPeople({ person, service, sender }: Dashboard): Promise<PeopleSample> {
  const owner = await person('owner')
  for (const role of ['admin', 'member', 'viewer'] as const) await person(role)
  for (let count = 0; count < 2; count++) await owner.logIn()
  const now = Date.now()
  const invitations = [
    { email: 'nora@harbour.test', role: 'member', atMs: now, token: 'sample-nora' },
    { email: 'jonas@harbour.test', role: 'viewer', atMs: now - 5 * HOUR_MS, token: 'sample-jonas' },
  ] as const
  for (const { email, role, atMs, token } of invitations) {
    const id = newId(atMs)
    const times = { createdAt: new Date(atMs), expiresAt: new Date(atMs + HOUR_MS) }
    const invitation = { teamId: sender.id, id, email, role, invitedBy: owner.user.id, ...times }
    await service.db.transaction((tx) => insertInvitation(tx, invitation, hashLinkToken(token)))
  }
  return { invitationToken: 'sample-nora' }
}
