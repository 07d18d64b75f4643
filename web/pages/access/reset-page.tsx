import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { askRaw } from '../../api/request.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { NewPassword } from '../../ui/new-password.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { useLinkToken } from './use-link-token.ts'

/** A new password, by the link of a mail. */
export function ResetPage() {
  const token = useLinkToken()
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { password: '' } })
  const reset = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      askRaw('/password-resets/redeem', { method: 'POST', body: { token, password }, teamId: null }),
    onSuccess() {
      // Every session of this person is over, this browser's too if it had one.
      client.clear()
      return navigate({ to: '/login', search: { dsn: 'reset' }, replace: true })
    },
    onError: (error) => showFieldErrors(form, error),
  })
  if (token === null || isDeadLink(reset.error))
    return (
      <DeadLink isMissing={token === null}>
        Links to set a new password work once, for an hour. Ask for another one at the login.
      </DeadLink>
    )
  return (
    <AccessFrame
      title="Set a new password"
      description="Every browser that is logged in with your account is logged out by this."
      foot={<ToLogin />}
    >
      <form onSubmit={form.onSubmit((values) => reset.mutate(values))} noValidate>
        <Stack gap="md">
          <NewPassword label="New password" autoFocus {...form.getInputProps('password')} />
          <ErrorNote error={reset.error} shownFields={['password']} />
          <Button type="submit" fullWidth loading={reset.isPending}>
            Set the password
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
