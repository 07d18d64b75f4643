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
import { texts } from './texts.ts'

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
      title={texts.forgotPage.forgotYourPassword}
      description={isCapturing ? texts.forgotPage.enterAddressLogServer : texts.forgotPage.enterAddressLogIf}
      foot={<ToLogin />}
    >
      {asking.isSuccess ? (
        <Alert color="sea" icon={<IconMailCheck />} role="status">
          {isCapturing ? texts.forgotPage.serverCapturesMailIf : texts.forgotPage.ifAddressAccountLink}
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit((values) => asking.mutate(values))} noValidate>
          <Stack gap="md">
            <TextInput
              label={texts.forgotPage.email}
              type="email"
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
              {...form.getInputProps('email')}
            />
            <ErrorNote error={asking.error} shownFields={['email']} />
            <Button type="submit" fullWidth loading={asking.isPending}>
              {texts.forgotPage.sendTheLink}
            </Button>
          </Stack>
        </form>
      )}
    </AccessFrame>
  )
}
