import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Session } from '../../api/session.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'
import { useAccountChange } from './use-account-change.ts'

/** The name and address that other members see. */
export function Profile({ user }: { user: Session['user'] }) {
  const form = useForm({ initialValues: { name: user.name } })
  const save = useAccountChange({
    onDone() {
      form.resetDirty()
      notifyDone(texts.profile.nameChanged)
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => save.mutate({ path: '/account', method: 'PATCH', body }))
  return (
    <Section title={texts.profile.profile}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={440}>
          <div>
            <Text size="sm" fw={500}>
              {texts.profile.email}
            </Text>
            <Text size="sm" className="foreign">
              {user.email}
            </Text>
            <Text size="xs" c="dimmed">
              {texts.profile.logAddressCannotChanged}
            </Text>
          </div>
          <TextInput
            label={texts.profile.name}
            description={texts.profile.nameTeamsSee}
            autoComplete="name"
            {...form.getInputProps('name')}
          />
          <ErrorNote error={save.error} shownFields={['name']} />
          <Group>
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
              {texts.profile.saveTheName}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
