import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoginChallenge } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { SecondStep } from './second-step.tsx'
import { useEnter } from './use-enter.ts'
import { useLinkToken } from './use-link-token.ts'

/** Logs in with a link of the command line, which replaces the password once. */
export function EnterPage() {
  const token = useLinkToken()
  const enter = useEnter()
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null)
  const login = useMutation({
    mutationFn: () =>
      requestJson<Session | LoginChallenge>('/session/link', {
        method: 'POST',
        body: { token },
        teamId: null,
      }),
    onSuccess: (answer) => ('challenge_id' in answer ? setChallenge(answer) : enter(answer)),
  })
  if (challenge !== null)
    return <SecondStep challenge={challenge} onEnter={enter} onRestart={() => setChallenge(null)} />
  if (token === null || isDeadLink(login.error))
    return (
      <DeadLink isMissing={token === null}>
        Login links work once, within an hour. Ask your operator for another one.
      </DeadLink>
    )
  return (
    <AccessFrame title="Log in" description="This link logs you in once." foot={<ToLogin />}>
      <Stack gap="md">
        <ErrorNote error={login.error} />
        <Button fullWidth autoFocus loading={login.isPending} onClick={() => login.mutate()}>
          Log in
        </Button>
      </Stack>
    </AccessFrame>
  )
}
