import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Session, useSession } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { NewPassword } from '../../ui/forms/new-password.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodesLeft } from './recovery-codes-left.tsx'
import { Sessions } from './sessions.tsx'
import { useAccountChange } from './use-account-change.ts'

/** The user's account, which is the same in all teams. */
export function AccountPage() {
  const { user } = useSession()
  const hasSecondFactor = user.totp_enabled || user.passkey_count > 0
  return (
    <Page
      title="Profile and security"
      description="Your own settings. They apply in all your teams, and only you can change them."
      isNarrow
    >
      <Profile user={user} />
      <PasswordForm user={user} />
      <AuthenticatorApp user={user} />
      <Passkeys />
      {hasSecondFactor && <RecoveryCodesLeft user={user} />}
      <Sessions />
    </Page>
  )
}

/** The name and address that other members see. */
function Profile({ user }: { user: Session['user'] }) {
  const form = useForm({ initialValues: { name: user.name } })
  const save = useAccountChange({
    onDone() {
      form.resetDirty()
      notifyDone('Name changed.')
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => save.mutate({ path: '/account', method: 'PATCH', body }))
  return (
    <Section title="Profile">
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={440}>
          <div>
            <Text size="sm" fw={500}>
              Email
            </Text>
            <Text size="sm" className="foreign">
              {user.email}
            </Text>
            <Text size="xs" c="dimmed">
              You log in with this address. It cannot be changed.
            </Text>
          </div>
          <TextInput
            label="Name"
            description="The name that your teams see."
            autoComplete="name"
            {...form.getInputProps('name')}
          />
          <ErrorNote error={save.error} shownFields={['name']} />
          <Group>
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

const FIELDS = ['current_password', 'new_password']

/** Changes the user's password. */
function PasswordForm({ user }: { user: Session['user'] }) {
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
