import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { ask } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { NewPassword } from '../../ui/new-password.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { useEnter } from './use-enter.ts'
import { useLinkToken } from './use-link-token.ts'

const FIELDS = ['email', 'name', 'password', 'team_name']

/** The first person of an installation, by the link that it printed when it started. */
export function WelcomePage() {
  const token = useLinkToken()
  const enter = useEnter()
  const form = useForm({ initialValues: { email: '', name: '', password: '', team_name: '' } })
  const create = useMutation({
    mutationFn: ({ team_name: team, ...rest }: typeof form.values) =>
      ask<Session>('/first-owner', {
        method: 'POST',
        body: { token, ...rest, ...(team.trim() === '' ? {} : { team_name: team }) },
        teamId: null,
      }),
    onSuccess: enter,
    onError: (error) => showFieldErrors(form, error),
  })
  if (token === null || isDeadLink(create.error))
    return (
      <DeadLink isMissing={token === null}>
        While nobody has an account, the server prints another link whenever it starts. If somebody made the
        first account already, ask that person to invite you.
      </DeadLink>
    )
  return (
    <AccessFrame
      title="Welcome to Sendwright"
      description="You are the first here. This makes your account: owner of the first team, and operator of the whole installation."
      foot={<ToLogin>I have an account already</ToLogin>}
    >
      <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
        <Stack gap="md">
          <TextInput
            label="Your name"
            autoComplete="name"
            autoFocus
            required
            withAsterisk={false}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Email"
            description="You log in with it."
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            {...form.getInputProps('email')}
          />
          <NewPassword {...form.getInputProps('password')} />
          <TextInput
            label="Team (optional)"
            description="What your team is called. It can be changed later."
            autoComplete="organization"
            {...form.getInputProps('team_name')}
          />
          <ErrorNote error={create.error} shownFields={FIELDS} />
          <Button type="submit" fullWidth loading={create.isPending}>
            Create my account
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
