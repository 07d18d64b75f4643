import { Alert, Anchor, Skeleton, Stack } from '@mantine/core'
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
import { useEnter } from './use-enter.ts'

const NOTICES: Readonly<Record<string, string>> = {
  ended: 'You are logged out.',
  reset: 'Your new password is set. Log in with it.',
  left: 'Your session has ended. Log in to continue where you left off.',
}

/** Logs a user in, in one step or two. */
export function LoginPage() {
  const { next, notice } = useSearch({ strict: false })
  const enter = useEnter(next)
  const installation = useGet<Installation>('/installation', { isTeamless: true })
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null)
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
  const note = trouble ?? NOTICES[notice ?? '']
  return (
    <AccessFrame
      title="Log in"
      foot={
        <Anchor component={Link} to="/forgot" size="sm">
          Forgot your password?
        </Anchor>
      }
    >
      <Stack gap="md">
        {note !== undefined && (
          <Alert color={trouble === null ? 'blue' : 'orange'} icon={<IconInfoCircle />} role="status">
            {note}
          </Alert>
        )}
        <PasswordStep onEnter={enter} onChallenge={setChallenge} />
      </Stack>
    </AccessFrame>
  )
}
