import { hintAccessChanged } from '../../access/access-changes-queries.ts'
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
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { hashToken, newToken } from '../../lib/crypto/random-token.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { admitSilently } from '../sessions/login-attempts.ts'
import { accountLink, LINK_LIFETIME_MS } from '../users/account-links.ts'
import type { SendAccountMail } from '../users/account-mail.ts'
import { invitationMail } from '../users/mail-texts.ts'
import { type Actor, holdRole, refuseAbove } from '../users/member-rights.ts'
import { readUserEmail } from '../users/new-user.ts'
import { findUser, findUserByEmail, lockUser } from '../users/users-queries.ts'
import {
  countInvitations,
  type DescribedInvitation,
  deleteInvitation,
  findInvitationByHash,
  type Invitation,
  insertInvitation,
  lockInvitation,
  takeInvitation,
  updateInvitationLink,
} from './invitations-queries.ts'

/** The limit on a team's open invitations. */
const INVITATIONS_MAX = 200

export interface InvitationDeps {
  db: Db
  clock: { now(): Date }
  log: Log
  publicUrl: string
  sendAccountMail: SendAccountMail
}

/** An invitation with its link, which is returned and mailed (printed in capture mode) but not stored. */
export interface SentInvitation {
  invitation: Invitation
  link: string
  emailed: boolean
  /** True if capture mode printed the link for the operator. */
  printed: boolean
}

/**
 * Creates an invitation and mails it. Throws ApiError: 403 for a role above the actor's own, 409, 422.
 * @param actor null for an operator at the command line
 */
export async function invite(
  deps: InvitationDeps,
  teamId: string,
  actor: Actor | null,
  invitee: { email: string; role: Role },
): Promise<SentInvitation> {
  const now = deps.clock.now()
  const email = readUserEmail(invitee.email)
  const { token, hash } = newToken()
  const invitation: Invitation = {
    teamId,
    id: newId(now.getTime()),
    email,
    role: invitee.role,
    invitedBy: actor?.userId ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS),
  }
  try {
    await deps.db.transaction(async (tx) => {
      if (actor !== null) refuseAbove(await holdRole(tx, actor), [invitee.role])
      const user = await findUserByEmail(tx, email)
      if (user !== null && (await findMembership(tx, teamId, user.id)) !== null)
        throw new ApiError('conflict', 'This person is already in the team.')
      if ((await countInvitations(tx, teamId)) >= INVITATIONS_MAX)
        throw new ApiError('conflict', `A team can have at most ${INVITATIONS_MAX} open invitations.`)
      await insertInvitation(tx, invitation, hash)
    })
  } catch (error) {
    if (violates(error, 'invitation_email_unique'))
      throw new ApiError('conflict', 'This person is already invited. Resend the invitation.')
    throw error
  }
  return mailInvitation(deps, invitation, token)
}

/** Sends a new link, which invalidates the earlier one. Throws ApiError: 404, 403. */
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

/** Revokes an invitation. Throws ApiError: 404, 403. */
export async function withdrawInvitation(db: Transactions, actor: Actor, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await holdInvitation(tx, actor, id)
    return deleteInvitation(tx, actor.teamId, id)
  })
}

/**
 * Locks memberships before invitations, like the removal of members and the acceptance of invitations: the other
 * order would deadlock.
 */
async function holdInvitation(tx: Tx, actor: Actor, id: string): Promise<Invitation> {
  const ownRole = await holdRole(tx, actor)
  const invitation = orNotFound(await lockInvitation(tx, actor.teamId, id))
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
  // Several teams together must not flood a mailbox either.
  if (!(await admitSilently(db, attempt, clock.now())))
    return { invitation, link, emailed: false, printed: false }
  const teamName = (await findTeam(db, teamId))?.name ?? ''
  const inviterName = invitedBy === null ? null : ((await findUser(db, invitedBy))?.name ?? null)
  const outcome = await sendAccountMail(invitationMail({ email, teamName, inviterName }, link)).catch(
    (error: unknown) => {
      // The invitation is valid, and the response contains its link.
      log.warn({ err: error }, 'an invitation was not sent by mail')
      return 'unsendable' as const
    },
  )
  return { invitation, link, emailed: outcome === 'accepted', printed: outcome === 'printed' }
}

/** Returns the invitation of a link. Throws ApiError (410). */
export async function findInvitation(db: Db, token: string, now: Date): Promise<DescribedInvitation> {
  const invitation = await findInvitationByHash(db, hashToken(token), now)
  if (invitation === null) throw new ApiError('invalid_link')
  return invitation
}

/**
 * Makes the user a member, once. An invitation grants at most the role that its inviter could still grant. An
 * existing member keeps the role. Throws ApiError: 410, and 409 if the user is in too many teams.
 */
export async function joinTeam(
  tx: Tx,
  invitation: DescribedInvitation,
  { userId, token }: { userId: string; token: string },
  now: Date,
): Promise<void> {
  const { teamId, role, invitedBy } = invitation
  const inviter = invitedBy === null ? null : await lockMembership(tx, teamId, invitedBy)
  if (invitedBy !== null && (inviter === null || !isAtLeast(inviter.role, role)))
    throw new ApiError('invalid_link')
  // A user who is being removed must not leave a membership behind.
  if ((await lockUser(tx, userId)) === null) throw new ApiError('not_logged_in')
  if (!(await takeInvitation(tx, invitation, hashToken(token)))) throw new ApiError('invalid_link')
  if ((await countTeamsOf(tx, userId)) >= TEAMS_OF_USER_MAX)
    throw new ApiError('conflict', `A user can be in at most ${TEAMS_OF_USER_MAX} teams.`)
  await insertMembership(tx, { teamId, userId, role, createdAt: now, updatedAt: now })
  await hintAccessChanged(tx)
}
