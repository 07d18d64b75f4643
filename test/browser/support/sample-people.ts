import { insertInvitation } from '../../../src/accounts/invitations/invitations-queries.ts'
import { hashToken } from '../../../src/lib/crypto/random-token.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { Dashboard } from './dashboard.ts'

export interface PeopleSample {
  /** The token in the link of an open invitation. */
  invitationToken: string
}

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
]
const HOUR_MS = 3_600_000

/** Creates a team with several members, and two open invitations. */
export async function fillPeople({ person, service, sender }: Dashboard): Promise<PeopleSample> {
  const owner = await person('owner')
  for (const role of ['admin', 'member', 'viewer'] as const) await person(role)
  for (const agent of AGENTS) await owner.logIn(agent)
  const now = Date.now()
  const invitations = [
    { email: 'nora@harbour.test', role: 'member', atMs: now, token: 'sample-nora' },
    { email: 'jonas@harbour.test', role: 'viewer', atMs: now - 5 * HOUR_MS, token: 'sample-jonas' },
  ] as const
  for (const { email, role, atMs, token } of invitations) {
    const id = newId(atMs)
    const times = { createdAt: new Date(atMs), expiresAt: new Date(atMs + HOUR_MS) }
    const invitation = { teamId: sender.id, id, email, role, invitedBy: owner.user.id, ...times }
    await service.db.transaction((tx) => insertInvitation(tx, invitation, hashToken(token)))
  }
  return { invitationToken: 'sample-nora' }
}
