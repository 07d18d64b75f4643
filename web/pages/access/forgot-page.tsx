import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Installation } from '../../api/account-records.ts'
import { sendRequest } from '../../api/request.ts'
import { useGet } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { AccessFrame, ToLogin } from './access-frame.tsx'

/** Requests a link for a new password. The response does not reveal whether the address has an account. */
export function ForgotPage() {
  const form = useForm({ initialValues: { email: '' } })
  const asking = useMutation({
    mutationFn: (body: typeof form.values) =>
      sendRequest('/password-resets', { method: 'POST', body, teamId: null }),
    onError: (error) => showFieldErrors(form, error),
  })
  const installation = useGet<Installation>('/installation', { isTeamless: true })
  const isCapturing = installation.data?.delivery === 'capture'
  return (
    <AccessFrame
      title="Forgot your password?"
      description={
        isCapturing
          ? 'Enter the address that you log in with. This server captures mail, so it prints the reset link in its terminal and log.'
          : 'Enter the address that you log in with. If it has an account, we send it a link to set a new password.'
      }
      foot={<ToLogin />}
    >
      {asking.isSuccess ? (
        <Alert color="sea" icon={<IconMailCheck />} role="status">
          {isCapturing
            ? 'This server captures mail. If this address has an account, the server printed a link in its terminal and log. The link works once, within an hour.'
            : 'If this address has an account, a link is on its way. It works once, within an hour. If no email arrives, ask an operator of this server to create a link.'}
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit((values) => asking.mutate(values))} noValidate>
          <Stack gap="md">
            <TextInput
              label="Email"
              type="email"
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
              {...form.getInputProps('email')}
            />
            <ErrorNote error={asking.error} shownFields={['email']} />
            <Button type="submit" fullWidth loading={asking.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </AccessFrame>
  )
}
