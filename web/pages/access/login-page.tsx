import { Alert, Anchor, Divider, Skeleton, Stack } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Installation, LoginChallenge } from '../../api/account-records.ts'
import { useGet } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { AccessFrame } from './access-frame.tsx'
import { NoOwner } from './no-owner.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { takeSsoChallenge } from './sso-challenge.ts'
import { useEnter } from './use-enter.ts'

const NOTICES: Readonly<Record<string, string>> = {
  ended: 'You are logged out.',
  reset: 'Your new password is set. Log in with it.',
  left: 'Your session has ended. Log in to continue where you left off.',
}

/** Why single sign-on failed (accounts/single-sign-on/sign-on-failure.ts). */
const PROBLEMS: Readonly<Record<string, string>> = {
  sso_expired: 'This login took too long, or started in another browser. Start again.',
  sso_limited: 'Too many logins came from your network. Try again in a minute.',
  sso_denied: 'The login provider rejected the login, or you canceled it.',
  sso_unavailable: 'The login provider does not respond. Try again in a moment.',
  sso_failed:
    'The response of the login provider was not valid. Try again; if it happens again, ask your operator.',
  sso_no_address:
    'Your account at the login provider has no verified email address that is allowed here. Ask your operator.',
  sso_no_access:
    'You are logged in at the login provider, but none of your groups has access here. Ask your operator.',
  sso_taken: 'Another person uses the account with your email address. Ask your operator.',
}

/** Logs a user in, in one step or two. */
export function LoginPage() {
  const { next, notice } = useSearch({ strict: false })
  const enter = useEnter(next)
  const installation = useGet<Installation>('/installation', { isTeamless: true })
  const [challenge, setChallenge] = useState<LoginChallenge | null>(takeSsoChallenge)
  const [trouble, setTrouble] = useState<string | null>(null)
  if (installation.isPending)
    return (
      <AccessFrame title="Log in">
        <Skeleton height={180} />
      </AccessFrame>
    )
  if (installation.data?.needs_owner) return <NoOwner onRetry={() => void installation.refetch()} />
  if (challenge !== null)
    return (
      <SecondStep
        challenge={challenge}
        onEnter={enter}
        onRestart={(message) => {
          setTrouble(message)
          setChallenge(null)
        }}
      />
    )
  const problem = trouble ?? PROBLEMS[notice ?? ''] ?? null
  const note = problem ?? NOTICES[notice ?? '']
  const provider = installation.data?.single_sign_on ?? null
  const hasPasswords = installation.data?.password_login !== false
  return (
    <AccessFrame
      title="Log in"
      foot={
        hasPasswords && (
          <Anchor component={Link} to="/forgot" size="sm">
            Forgot your password?
          </Anchor>
        )
      }
    >
      <Stack gap="md">
        {note !== undefined && (
          <Alert color={problem === null ? 'blue' : 'orange'} icon={<IconInfoCircle />} role="status">
            {note}
          </Alert>
        )}
        {provider !== null && <SingleSignOn label={provider} next={next} isOnly={!hasPasswords} />}
        {provider !== null && hasPasswords && <Divider label="or" />}
        {hasPasswords && <PasswordStep onEnter={enter} onChallenge={setChallenge} />}
      </Stack>
    </AccessFrame>
  )
}
