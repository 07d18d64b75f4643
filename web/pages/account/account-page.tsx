import { useSession } from '../../api/session.ts'
import { Page } from '../../ui/page.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Profile } from './profile.tsx'
import { RecoveryCodesLeft } from './recovery-codes-left.tsx'
import { Sessions } from './sessions.tsx'

/** What is a person's own: in all teams the same. */
export function AccountPage() {
  const { user } = useSession()
  const hasSecondFactor = user.totp_enabled || user.passkey_count > 0
  return (
    <Page
      title="Profile and security"
      description="What is yours: it is the same in all your teams, and nobody else can change it."
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
