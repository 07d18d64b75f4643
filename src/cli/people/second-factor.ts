import { Command } from 'commander'
import { forgetSecondFactors } from '../../accounts/second-factor/forget-second-factor.ts'
import { findUserByEmail, lockUser } from '../../accounts/users-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { suppressionKey } from '../../mime/address.ts'
import { withInstallation } from '../installation/installation.ts'
import { createOutput } from '../output.ts'

/** For who lost telephone, passkeys and recovery codes; the password stays, and is all that a login needs then. */
export function resetSecondFactorCommand(): Command {
  return new Command('reset-second-factor')
    .description('take away the authenticator app, passkeys and recovery codes of who lost them')
    .argument('<email>', 'the address that the user logs in with')
    .option('--json', 'answer in JSON')
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
