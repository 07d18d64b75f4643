import { Command } from 'commander'
import { forgetSecondFactors } from '../../../accounts/second-factor/forget-second-factor.ts'
import { findUserByEmail, lockUser } from '../../../accounts/users/users-queries.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { suppressionKey } from '../../../mime/address.ts'
import { createOutput } from '../../developer/output.ts'
import { withInstallation } from '../installation/installation.ts'

/**
 * Creates the command for users who lost their phone, passkeys and recovery codes. Afterwards, the password alone is
 * enough to log in.
 */
export function resetSecondFactorCommand(): Command {
  return new Command('reset-second-factor')
    .description('remove the authenticator app, passkeys and recovery codes of a user who lost them')
    .argument('<email>', 'the email address that the user logs in with')
    .option('--json', 'print JSON')
    .action(async (email: string, options: { json?: boolean }) => {
      const done = await withInstallation(({ db }) =>
        db.transaction(async (tx) => {
          const user = await findUserByEmail(tx, suppressionKey(email))
          if (user === null || (await lockUser(tx, user.id)) === null)
            throw new ApiError('not_found', `There is no user ${email}.`)
          const { hadTotp, passkeyCount } = await forgetSecondFactors(tx, user.id)
          const taken = { totp_disabled: hadTotp, passkeys_removed: passkeyCount }
          return { object: 'user', id: user.id, email: user.email, ...taken }
        }),
      )
      createOutput(options).record(done)
    })
}
