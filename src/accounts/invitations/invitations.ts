import {
  countTeamsOf,
  findMembership,
  insertMembership,
  lockMembership,
} from '../../access/memberships-queries.ts'
import { isAtLeast, type Role } from '../../access/roles.ts'
import { TEAMS_OF_USER_MAX } from '../../access/sessions-queries.ts'
import type { Db, Transactions, Tx } from '../../db/db-types.ts'
import { violates } from '../../db/sqlstate.ts'
import { hintAccessChanged } from '../../domains/domains-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashToken, newToken } from '../../lib/crypto/random-token.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { accountLink, LINK_LIFETIME_MS } from '../account-links.ts'
import type { SendAccountMail } from '../account-mail.ts'
import { invitationMail } from '../mail-texts.ts'
import { type Actor, holdRole, refuseAbove } from '../members.ts'
import { readUserEmail } from '../new-user.ts'
import { admitSilently } from '../sessions/login-attempts.ts'
import { findUser, findUserByEmail, lockUser } from '../users-queries.ts'
import {
  countInvitations,
  deleteInvitation,
  findInvitationByHash,
  type Invitation,
  insertInvitation,
  lockInvitation,
  type ToldInvitation,
  takeInvitation,
  updateInvitationLink,
} from './invitations-queries.ts'

/** Of one team, open at a time. */
const INVITATIONS_MAX = 200

export interface InvitationDeps {
  db: Db
  clock: { now(): Date }
  log: Log
  publicUrl: string
  sendAccountMail: SendAccountMail
}

/** An invitation with its link, which is in this answer and in the mail (printed in capture mode), and not stored. */
export interface SentInvitation {
  invitation: Invitation
  link: string
  emailed: boolean
  /** Capture mode printed the link for the operator. */
  printed: boolean
}

/** @param actor null: an operator at the command line. Throws ApiError: 403 for a role above one's own, 409, 422. */
export async function invite(
  deps: InvitationDeps,
  teamId: string,
  actor: Actor | null,
  given: { email: string; role: Role },
): Promise<SentInvitation> {
  const now = deps.clock.now()
  const email = readUserEmail(given.email)
  const { token, hash } = newToken()
  const invitation: Invitation = {
    teamId,
    id: newId(now.getTime()),
    email,
    role: given.role,
    invitedBy: actor?.userId ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
  }
  try {
    await deps.db.transaction(async (tx) => {
      if (actor !== null) refuseAbove(await holdRole(tx, actor), [given.role])
      const user = await findUserByEmail(tx, email)
      if (user !== null && (await findMembership(tx, teamId, user.id)) !== null)
        throw new ApiError('conflict', 'This person is in the team already.')
      if ((await countInvitations(tx, teamId)) >= INVITATIONS_MAX)
        throw new ApiError('conflict', `A team has at most ${INVITATIONS_MAX} open invitations.`)
      await insertInvitation(tx, invitation, hash)
    })
  } catch (error) {
    if (violates(error, 'invitation_email_unique'))
      throw new ApiError('conflict', 'This person is invited already: send it again.')
    throw error
  }
  return mailInvitation(deps, invitation, token)
}

/** Another link, by another mail; the one before is dead. Throws ApiError: 404, 403. */
export async function inviteAgain(deps: InvitationDeps, actor: Actor, id: string): Promise<SentInvitation> {
  const { db, clock } = deps
  const { token, hash } = newToken()
  const invitation = await db.transaction(async (tx) => {
    const before = await holdInvitation(tx, actor, id)
    const renewed = { ...before, expiresAt: new Date(clock.now().getTime() + LINK_LIFETIME_MS) }
    await updateInvitationLink(tx, renewed, hash)
    return renewed
  })
  return mailInvitation(deps, invitation, token)
}

/** Throws ApiError: 404, 403. */
export async function withdrawInvitation(db: Transactions, actor: Actor, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdInvitation(tx, actor, id)
    return deleteInvitation(tx, actor.teamId, id)
  })
}

/** Memberships before invitations, as where members go and where invitations are accepted: the other order deadlocks. */
async function holdInvitation(tx: Tx, actor: Actor, id: string): Promise<Invitation> {
  const ownRole = await holdRole(tx, actor)
  const invitation = await lockInvitation(tx, actor.teamId, id)
  if (invitation === null) throw new ApiError('not_found')
  refuseAbove(ownRole, [invitation.role])
  return invitation
}

async function mailInvitation(
  { db, clock, log, publicUrl, sendAccountMail }: InvitationDeps,
  invitation: Invitation,
  token: string,
): Promise<SentInvitation> {
  const link = accountLink(publicUrl, 'invitation', token)
  const { email, teamId, invitedBy } = invitation
  const attempt = { what: 'mail', ipAddress: '', account: email } as const
  // Several teams together must not fill somebody's mailbox either.
  if (!(await admitSilently(db, attempt, clock.now())))
    return { invitation, link, emailed: false, printed: false }
  const teamName = (await findTeam(db, teamId))?.name ?? ''
  const inviterName = invitedBy === null ? null : ((await findUser(db, invitedBy))?.name ?? null)
  const outcome = await sendAccountMail(invitationMail({ email, teamName, inviterName }, link)).catch(
    (error: unknown) => {
      // The invitation stands, and its link is in the answer.
      log.warn({ err: error }, 'an invitation was not sent by mail')
      return 'unsendable' as const
    },
  )
  return { invitation, link, emailed: outcome === 'accepted', printed: outcome === 'printed' }
}

/** Where the link leads. Throws ApiError (410). */
export async function findInvitation(db: Db, token: string, now: Date): Promise<ToldInvitation> {
  const invitation = await findInvitationByHash(db, hashToken(token), now)
  if (invitation === null) throw new ApiError('invalid_link')
  return invitation
}

/**
 * Makes the user a member, once. An invitation gives no more than its inviter still could. Throws ApiError: 410, and 409
 * for who is in too many teams. Whoever is a member already keeps the role.
 */
export async function joinTeam(
  tx: Tx,
  invitation: ToldInvitation,
  { userId, token }: { userId: string; token: string },
  now: Date,
): Promise<void> {
  const { teamId, role, invitedBy } = invitation
  const inviter = invitedBy === null ? null : await lockMembership(tx, teamId, invitedBy)
  if (invitedBy !== null && (inviter === null || !isAtLeast(inviter.role, role)))
    throw new ApiError('invalid_link')
  // Who is being removed at this moment must not leave a member behind whom nobody is.
  if ((await lockUser(tx, userId)) === null) throw new ApiError('not_logged_in')
  if (!(await takeInvitation(tx, invitation, hashToken(token)))) throw new ApiError('invalid_link')
  if ((await countTeamsOf(tx, userId)) >= TEAMS_OF_USER_MAX)
    throw new ApiError('conflict', `A user is in at most ${TEAMS_OF_USER_MAX} teams.`)
  await insertMembership(tx, { teamId, userId, role, createdAt: now, updatedAt: now })
  await hintAccessChanged(tx)
}
