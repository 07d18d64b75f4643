import { useSession } from '../../api/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Profile } from './profile.tsx'
import { RecoveryCodesLeft } from './recovery-codes-left.tsx'
import { Sessions } from './sessions.tsx'

/** The user's account, which is the same in all teams. */
export function AccountPage() {
  const { user } = useSession()
  const hasSecondFactor = user.totp_enabled || user.passkey_count > 0
  return (
    <Page
      title="Profile and security"
      description="Your own settings. They apply in all your teams, and only you can change them."
      isNarrow
    >
      <Profile user={user} />
      <PasswordForm user={user} />
      <AuthenticatorApp user={user} />
      <Passkeys />
      {hasSecondFactor && <RecoveryCodesLeft user={user} />}
      <Sessions />
    </Page>
  )
}
