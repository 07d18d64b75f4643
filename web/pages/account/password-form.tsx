import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useAccountChange } from './use-account-change.ts'

const FIELDS = ['current_password', 'new_password']

/** Changes the user's password. */
export function PasswordForm({ user }: { user: Session['user'] }) {
  const form = useForm({ initialValues: { current_password: '', new_password: '' } })
  const change = useAccountChange({
    onDone() {
      form.reset()
      notifyDone('Password changed. All other browsers were logged out.')
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => change.mutate({ path: '/account/password', method: 'POST', body }))
  if (!user.has_password)
    return (
      <Section title="Password">
        <Text size="sm" c="dimmed">
          You have no password. To set one, log out and choose “Forgot your password?”.
        </Text>
      </Section>
    )
  return (
    <Section title="Password" description="Changing your password logs out all your other browsers.">
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={440}>
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <NewPassword label="New password" {...form.getInputProps('new_password')} />
          <ErrorNote error={change.error} shownFields={FIELDS} />
          <Group>
            <Button
              type="submit"
              variant="default"
              disabled={form.values.current_password === '' || form.values.new_password === ''}
              loading={change.isPending}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
