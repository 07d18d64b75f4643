import { Button, Checkbox, Group, Select, SimpleGrid, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Notifications } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { SendTest } from './send-test-alert.tsx'
import { texts } from './texts.ts'

type Email = Notifications['email']
type Kind = Email['kinds'][number]

const words = texts.notifications
const KINDS = Object.entries(words.kinds) as [Kind, string][]
const INTERVALS = [1, 15, 60, 240, 1440]

/** The user's own settings, which every role can change. */
export function AlertEmails({ email }: { email: Email }) {
  const form = useForm({ initialValues: { ...email, every_minutes: String(email.every_minutes) } })
  const save = useChange<Notifications>({
    onDone: () => notifyDone(words.saved),
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((given) =>
    save.mutate({
      path: '/team/notifications',
      method: 'PATCH',
      body: { ...given, every_minutes: Number(given.every_minutes) },
    }),
  )
  const choices = [...new Set([...INTERVALS, email.every_minutes])].sort((a, b) => a - b)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Switch label={words.emailMe} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <Checkbox.Group label={words.kindsLabel} {...form.getInputProps('kinds')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
            {KINDS.map(([kind, label]) => (
              <Checkbox key={kind} value={kind} label={label} disabled={!form.values.enabled} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Select
          label={words.every}
          data={choices.map((minutes) => ({ value: String(minutes), label: words.minutes(minutes) }))}
          allowDeselect={false}
          disabled={!form.values.enabled}
          maw={240}
          {...form.getInputProps('every_minutes')}
        />
        <ErrorNote error={save.error} shownFields={['kinds', 'every_minutes']} />
        <Group>
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            {words.saveEmails}
          </Button>
          <SendTest channel="email" />
        </Group>
      </Stack>
    </form>
  )
}
