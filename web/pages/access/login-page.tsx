import { Alert, Anchor, Button, Divider, List, Skeleton, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconLogin2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Installation, LoginChallenge } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { useGet } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame } from './access-frame.tsx'
import { PasswordStep } from './password-step.tsx'
import { SecondStep } from './second-step.tsx'
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

/** Shown while the installation has no account: the first one is created by a link that the server prints. */
function NoOwner({ onRetry }: { onRetry(): void }) {
  return (
    <AccessFrame
      title="No accounts yet"
      description="Create the first account with the link that this server printed when it started."
    >
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          Find the link in the output of the server’s start. It ends in <code>/app/welcome#token=…</code> and
          works once, within an hour.
        </List.Item>
        <List.Item>
          <Text size="sm" mb="xs">
            If the link is lost or has expired, print a new one on the server:
          </Text>
          <CodeBlock text="npx sendwright user first-owner" />
        </List.Item>
        <List.Item>Open the link in this browser.</List.Item>
      </List>
      <Button variant="default" mt="lg" onClick={onRetry}>
        Check again
      </Button>
    </AccessFrame>
  )
}

interface SingleSignOnProps {
  /** The name of the provider. */
  label: string
  next: string | undefined
  /** Whether it is the only way to log in. */
  isOnly: boolean
}

/** Sends the browser to the login page of the OpenID provider. */
function SingleSignOn({ label, next = '', isOnly }: SingleSignOnProps) {
  const start = useMutation({
    mutationFn: () =>
      requestJson<{ url: string }>('/session/oidc', { method: 'POST', body: { next }, teamId: null }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Stack gap="md">
      <ErrorNote error={start.error} />
      <Button
        fullWidth
        variant={isOnly ? 'filled' : 'default'}
        leftSection={<IconLogin2 aria-hidden />}
        loading={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Log in with {label}
      </Button>
    </Stack>
  )
}

const METHODS = ['totp', 'passkey', 'recovery_code'] as const

/**
 * Returns the second step of a login that came back from the OpenID provider (`#challenge=...&methods=...`), or null.
 * Removes it from the address.
 */
function takeSsoChallenge(): LoginChallenge | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const id = fragment.get('challenge')
  if (id === null) return null
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  const names = (fragment.get('methods') ?? '').split(',')
  const methods = METHODS.filter((method) => names.includes(method))
  return { object: 'login_challenge', challenge_id: id, methods: [...methods], expires_at: '' }
}
