import { Button, Checkbox, Group, Select, SimpleGrid, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Notifications } from '../../api/account-records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { SendTest } from './send-test-alert.tsx'

type Email = Notifications['email']
type Kind = Email['kinds'][number]

const KINDS: Readonly<Record<Kind, string>> = {
  sending_paused: 'Sending is paused',
  campaign_paused: 'Campaign paused by Sendwright',
  automation_paused: 'Automation paused by Sendwright',
  automation_failing: 'Runs of an automation failed',
  domain_failing: 'Domain verification failed',
  domain_unverified: 'Domain not verified',
  bounce_rate: 'High bounce rate',
  complaint_rate: 'High complaint rate',
  quota_month: 'Monthly quota nearly used',
  quota_day: 'Daily quota nearly used',
  webhook_disabled: 'Webhook disabled',
  webhook_failing: 'Webhook failing',
  email_waiting: 'Emails waiting for 2 hours',
  site_paused: 'Delivery to a site on hold',
  api_key_expiring: 'API key expires soon',
}
const INTERVALS = [1, 15, 60, 240, 1440]

/** The user's own settings, which every role can change. */
export function AlertEmails({ email }: { email: Email }) {
  const form = useForm({ initialValues: { ...email, every_minutes: String(email.every_minutes) } })
  const save = useChange<Notifications>({
    onDone: () => notifyDone('Alert emails saved.'),
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((values) =>
    save.mutate({
      path: '/team/notifications',
      method: 'PATCH',
      body: { ...values, every_minutes: Number(values.every_minutes) },
    }),
  )
  const choices = [...new Set([...INTERVALS, email.every_minutes])].sort((a, b) => a - b)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Switch
          label="Email me alerts of this team"
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <Checkbox.Group label="Alerts" {...form.getInputProps('kinds')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
            {Object.entries(KINDS).map(([kind, label]) => (
              <Checkbox key={kind} value={kind} label={label} disabled={!form.values.enabled} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Select
          label="At most one email"
          data={choices.map((minutes) => ({
            value: String(minutes),
            label: showInterval(minutes),
          }))}
          allowDeselect={false}
          disabled={!form.values.enabled}
          maw={240}
          {...form.getInputProps('every_minutes')}
        />
        <ErrorNote error={save.error} shownFields={['kinds', 'every_minutes']} />
        <Group>
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            Save alert emails
          </Button>
          <SendTest channel="email" />
        </Group>
      </Stack>
    </form>
  )
}

function showInterval(minutes: number): string {
  if (minutes === 1) return 'every minute'
  if (minutes < 60) return `every ${minutes} minutes`
  if (minutes === 60) return 'every hour'
  return minutes === 1440 ? 'every day' : `every ${Math.round(minutes / 60)} hours`
}
