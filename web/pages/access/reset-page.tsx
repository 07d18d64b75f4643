import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sendRequest } from '../../api/request.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'
import { DeadLink, isDeadLink } from './dead-link.tsx'
import { useLinkToken } from './use-link-token.ts'

/** Sets a new password by the link of an email. */
export function ResetPage() {
  const token = useLinkToken()
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { password: '' } })
  const reset = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      sendRequest('/password-resets/redeem', { method: 'POST', body: { token, password }, teamId: null }),
    onSuccess() {
      // The server has ended every session of this user, including this browser's.
      client.clear()
      return navigate({ to: '/login', search: { notice: 'reset' }, replace: true })
    },
    onError: (error) => showFieldErrors(form, error),
  })
  if (token === null || isDeadLink(reset.error))
    return (
      <DeadLink isMissing={token === null}>
        Reset links work once, within an hour. Request another one on the login page.
      </DeadLink>
    )
  return (
    <AccessFrame
      title="Set new password"
      description="A new password logs out all browsers that use your account."
      foot={<ToLogin />}
    >
      <form onSubmit={form.onSubmit((values) => reset.mutate(values))} noValidate>
        <Stack gap="md">
          <NewPassword label="New password" autoFocus {...form.getInputProps('password')} />
          <ErrorNote error={reset.error} shownFields={['password']} />
          <Button type="submit" fullWidth loading={reset.isPending}>
            Set password
          </Button>
        </Stack>
      </form>
    </AccessFrame>
  )
}
