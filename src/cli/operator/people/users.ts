import { Command } from 'commander'
import { hintAccessChanged } from '../../../access/access-changes-queries.ts'
import { listMembershipsOf } from '../../../access/memberships-queries.ts'
import type { Role } from '../../../access/roles.ts'
import { invite } from '../../../accounts/invitations/invitations.ts'
import { makeFirstOwnerLink } from '../../../accounts/people/first-owner.ts'
import { removeUser } from '../../../accounts/people/remove-user.ts'
import { makeResetLink } from '../../../accounts/people/resets.ts'
import { forgetSecondFactors } from '../../../accounts/second-factor/forget-second-factor.ts'
import { makeLoginLink } from '../../../accounts/single-sign-on/login-links.ts'
import {
  findUserByEmail,
  listUsers,
  lockUser,
  type User,
  updateUser,
} from '../../../accounts/users/users-queries.ts'
import type { Db } from '../../../db/db-types.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { createLog } from '../../../lib/log.ts'
import { formatTime } from '../../../lib/time/format-time.ts'
import { suppressionKey } from '../../../mime/address.ts'
import { createOutput } from '../../developer/output.ts'
import { readId, readRole } from '../installation/arguments.ts'
import { asOperator, requireTeam, withInstallation } from '../installation/installation.ts'
import { readAll } from '../installation/read-all.ts'

const COLUMNS = ['id', 'email', 'name', 'is_operator', 'teams', 'created_at']

interface Options {
  json?: boolean
}

async function userToJson(db: Db, user: User) {
  const memberships = await listMembershipsOf(db, user.id)
  return {
    object: 'user',
    id: user.id,
    email: user.email,
    name: user.name,
    is_operator: user.isOperator,
    teams: memberships.map(({ teamId, role }) => ({ id: teamId, role })),
    created_at: formatTime(user.createdAt),
  }
}

async function requireUser(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, suppressionKey(email))
  if (user === null)
    throw new ApiError(
      'not_found',
      `There is no user ${email}. Run "sendwright user list" to list the users.`,
    )
  return user
}

export function userCommand(): Command {
  const user = new Command('user').description('Manage the users of the dashboard')
  user
    .command('list')
    .description('list the users, oldest first')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const rows = await withInstallation(async ({ db }) => {
        const users = []
        for (const one of await readAll((after, countMax) => listUsers(db, after, countMax)))
          users.push(await userToJson(db, one))
        return users
      })
      createOutput(options).rows(rows, COLUMNS)
    })
  user.addCommand(firstOwnerCommand())
  user.addCommand(inviteCommand())
  user.addCommand(resetPasswordCommand())
  user.addCommand(loginLinkCommand())
  user.addCommand(resetSecondFactorCommand())
  user.addCommand(operatorCommand())
  user.addCommand(removeCommand())
  return user
}

function firstOwnerCommand(): Command {
  return new Command('first-owner')
    .description('create a link for the first owner while there are no users')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const link = await withInstallation(({ db, config, clock }) =>
        makeFirstOwnerLink(db, config.publicUrl, clock.now()),
      )
      if (link === null)
        throw new ApiError(
          'conflict',
          'There are already users. Invite others with "sendwright user invite".',
        )
      createOutput(options).record({ object: 'first_owner', link })
    })
}

function inviteCommand(): Command {
  return new Command('invite')
    .description('create a link to join a team; no email is sent')
    .argument('<email>', 'the email address that the person will log in with')
    .option('--role <role>', 'owner, admin, member or viewer', readRole, 'member' as Role)
    .option('--team <id>', 'the team; optional when there is only one', readId)
    .option('--json', 'print JSON')
    .action(async (email: string, options: Options & { role: Role; team?: string }) => {
      const { invitation, link } = await withInstallation(async (installation) => {
        const { config } = installation
        const team = await requireTeam(installation.db, options.team)
        const audited = asOperator(installation, team.id, 'team.invitations.create')
        const log = createLog('error', process.stderr)
        const deps = {
          ...audited,
          log,
          publicUrl: config.publicUrl,
          sendAccountMail: async () => 'unsendable' as const,
        }
        return invite(deps, team.id, null, { email, role: options.role })
      })
      const { id, teamId, role, expiresAt } = invitation
      const fields = { email: invitation.email, role, link, expires_at: formatTime(expiresAt) }
      createOutput(options).record({ object: 'invitation', id, team_id: teamId, ...fields })
    })
}

function resetPasswordCommand(): Command {
  return new Command('reset-password')
    .description('create a link to set a new password; no email is sent')
    .argument('<email>', 'the email address that the user logs in with')
    .option('--json', 'print JSON')
    .action(async (email: string, options: Options) => {
      const reset = await withInstallation(async ({ db, config, clock }) => {
        const user = await requireUser(db, email)
        const link = await makeResetLink(db, user.id, config.publicUrl, clock.now())
        return { object: 'password_reset', email: user.email, link }
      })
      createOutput(options).record(reset)
    })
}

function loginLinkCommand(): Command {
  return new Command('login-link')
    .description('create a link that logs a user in once, for when single sign-on does not work')
    .argument('<email>', 'the email address of the user')
    .option('--json', 'print JSON')
    .action(async (email: string, options: Options) => {
      const loginLink = await withInstallation(async ({ db, config, clock }) => {
        const user = await requireUser(db, email)
        const link = await makeLoginLink(db, user.id, config.publicUrl, clock.now())
        return { object: 'login_link', email: user.email, link }
      })
      createOutput(options).record(loginLink)
    })
}

function operatorCommand(): Command {
  return new Command('operator')
    .description('make a user an operator of this installation')
    .argument('<email>', 'the email address that the user logs in with')
    .option('--off', 'revoke the operator role')
    .option('--json', 'print JSON')
    .action(async (email: string, options: Options & { off?: boolean }) => {
      const record = await withInstallation(async ({ db, clock }) => {
        const user = await requireUser(db, email)
        const updated = { ...user, isOperator: options.off !== true, updatedAt: clock.now() }
        await db.transaction(async (tx) => {
          await updateUser(tx, updated)
          await hintAccessChanged(tx)
        })
        return userToJson(db, updated)
      })
      createOutput(options).record(record)
    })
}

function removeCommand(): Command {
  return new Command('remove')
    .description('delete a user and all their personal data')
    .argument('<email>', 'the email address that the user logs in with')
    .option('--even-last-owner', 'delete the user even if a team is left without an owner')
    .option('--json', 'print JSON')
    .action(async (email: string, options: Options & { evenLastOwner?: boolean }) => {
      const record = await withInstallation(async ({ db }) => {
        const user = await requireUser(db, email)
        await removeUser(db, user.id, options.evenLastOwner === true)
        return { object: 'user', id: user.id, deleted: true }
      })
      createOutput(options).record(record)
    })
}

/**
 * Creates the command for users who lost their phone, passkeys and recovery codes. Afterwards, the password alone is
 * enough to log in.
 */
function resetSecondFactorCommand(): Command {
  return new Command('reset-second-factor')
    .description('remove the authenticator app, passkeys and recovery codes of a user who lost them')
    .argument('<email>', 'the email address that the user logs in with')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: boolean }) => {
      const record = await withInstallation(({ db }) =>
        db.transaction(async (tx) => {
          const user = await findUserByEmail(tx, suppressionKey(email))
          if (user === null || (await lockUser(tx, user.id)) === null)
            throw new ApiError('not_found', `There is no user ${email}.`)
          const { hadTotp, passkeyCount } = await forgetSecondFactors(tx, user.id)
          const changes = { totp_disabled: hadTotp, passkeys_removed: passkeyCount }
          return { object: 'user', id: user.id, email: user.email, ...changes }
        }),
      )
      createOutput(options).record(record)
    })
}
