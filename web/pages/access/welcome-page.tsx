import { Button, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { requestJson } from '../../api/request.ts'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { useEnter } from './use-enter.ts'
import { useLinkToken } from './use-link-token.ts'

const EMPTY = { email: '', name: '', password: '', team_name: '' }

/** Creates the first account of an installation, by the link that the server printed on startup. */
export function WelcomePage() {
  const token = useLinkToken()
  const enter = useEnter()
  const form = useForm({ initialValues: EMPTY })
  const create = useMutation({
    mutationFn: ({ team_name: team, ...rest }: typeof form.values) =>
      requestJson<Session>('/first-owner', {
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
        The server prints a new link at every start until the first account exists. If someone has already
        created it, ask them to invite you.
      </DeadLink>
    )
  return (
    <AccessFrame
      title="Welcome to Sendwright"
      description="Create the first account. You become the owner of the first team and an operator of this installation."
      foot={<ToLogin>I already have an account</ToLogin>}
    >
      <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
        <Stack gap="md">
          <Fields form={form} />
          <ErrorNote error={create.error} shownFields={Object.keys(EMPTY)} />
          <Button type="submit" fullWidth loading={create.isPending}>
            Create my account
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}

function Fields({ form }: { form: UseFormReturnType<typeof EMPTY> }) {
  return (
    <>
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
        description="The name of your team. You can change it later."
        autoComplete="organization"
        {...form.getInputProps('team_name')}
      />
    </>
  )
}
