import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Installation } from '../../api/account-records.ts'
import { askRaw } from '../../api/request.ts'
import { useGet } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { AccessFrame, ToLogin } from './access-frame.tsx'

/** Asks for a link by which a new password is set. The answer is the same whoever asks. */
export function ForgotPage() {
  const form = useForm({ initialValues: { email: '' } })
  const asking = useMutation({
    mutationFn: (body: typeof form.values) =>
      askRaw('/password-resets', { method: 'POST', body, teamId: null }),
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
          : 'Give the address that you log in with. If it has an account, a link to set a new password goes there.'
      }
      foot={<ToLogin />}
    >
      {asking.isSuccess ? (
        <Alert color="sea" icon={<IconMailCheck size={18} />} role="status">
          {isCapturing
            ? 'This server captures mail. If this address has an account, the server printed a link in its terminal and log. The link works once, within an hour.'
            : 'If this address has an account, a link is on its way. It works once, for an hour. Nothing comes? An operator of this server can make a link by hand.'}
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
