import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Retention } from '../../api/account-records.ts'
import { useChange, useGet, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { choicesFor, isShorter, KINDS, type Periods, showPeriod } from './periods.ts'

const TEXTS: Readonly<Record<keyof Periods, { label: string; description: string }>> = {
  content: {
    label: 'Content of emails',
    description: 'Html, text, headers, attachments; the captured mailbox.',
  },
  attempts: { label: 'Delivery attempts', description: 'Each with its SMTP conversation.' },
  events: { label: 'Events', description: 'The event feed and the timelines of emails.' },
  webhook_deliveries: { label: 'Webhook deliveries', description: 'What endpoints were sent, and answered.' },
}

/** How long the team keeps what. */
export function RetentionPeriods() {
  const retention = useGet<Retention>('/retention')
  return (
    <Section
      title="Retention"
      description="How long things are kept, counted from when an email was accepted. Never longer than the operator allows."
    >
      <ErrorNote error={retention.error} onRetry={() => void retention.refetch()} />
      {retention.data === undefined ? (
        retention.error === null && <Skeleton height={150} />
      ) : (
        <Fields key={JSON.stringify(retention.data)} retention={retention.data} />
      )}
    </Section>
  )
}

function Fields({ retention }: { retention: Retention }) {
  const mayChange = useMay().change('Retention')
  const { content, attempts, events, webhook_deliveries } = retention
  const form = useForm<Periods>({ initialValues: { content, attempts, events, webhook_deliveries } })
  const change = useChange<Retention>({
    onDone: () => tellDone('The retention periods are changed.'),
    onRefused: (error) => showFieldErrors(form, error),
  })
  const save = (body: Periods) => change.mutate({ path: '/retention', method: 'PATCH', body })
  const submit = form.onSubmit((given) => {
    if (!KINDS.some((kind) => isShorter(given[kind], retention[kind]))) return save(given)
    confirm({
      title: 'Keep less?',
      children: 'What is older than a shortened period is deleted within hours, for good.',
      action: 'Keep less',
      onConfirm: () => save(given),
    })
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {KINDS.map((kind) => (
            <Select
              key={kind}
              label={TEXTS[kind].label}
              description={TEXTS[kind].description}
              data={choicesFor(retention, kind)}
              allowDeselect={false}
              readOnly={!mayChange}
              {...form.getInputProps(kind)}
            />
          ))}
        </SimpleGrid>
        <ErrorNote error={change.error} shownFields={KINDS} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Emails themselves, with their recipients, stay for {showPeriod(retention.emails)}: the longest of
            these.
          </Text>
          {mayChange && (
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={change.isPending}>
              Save the periods
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
