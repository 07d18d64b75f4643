import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useAccountChange } from './use-account-change.ts'

/** The name and address that other members see. */
export function Profile({ user }: { user: Session['user'] }) {
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
