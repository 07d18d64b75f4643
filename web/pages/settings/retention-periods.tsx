import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Retention } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { useOneAttempt } from '../../ui/forms/one-attempt.ts'
import { changedFields } from '../../ui/forms/save-request.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { choicesFor, type Periods as GivenPeriods, isShorter, KINDS, showPeriod } from './periods.ts'

const TEXTS: Readonly<Record<keyof GivenPeriods, { label: string; description: string }>> = {
  content: {
    label: 'Content of emails',
    description: 'HTML, text, headers and attachments, and the captured mailbox.',
  },
  attempts: { label: 'Delivery attempts', description: 'Every attempt with its SMTP transcript.' },
  events: { label: 'Events', description: 'The event feed and the timelines of emails.' },
  webhook_deliveries: {
    label: 'Webhook deliveries',
    description: 'Requests to endpoints and their responses.',
  },
}

/** Sets how long the team's data is kept. */
export function RetentionPeriods() {
  const retention = useGet<Retention>('/retention')
  return (
    <Section
      title="Retention"
      description="How long data is kept after an email is accepted. The operator sets the maximum."
    >
      <ErrorNote error={retention.error} onRetry={() => void retention.refetch()} />
      {retention.data === undefined ? (
        retention.error === null && <Skeleton height={150} />
      ) : (
        <Periods retention={retention.data} />
      )}
    </Section>
  )
}

/** The periods as fields, or as text for users who may not change them. */
function Periods({ retention }: { retention: Retention }) {
  const mayChange = useMay().change('Retention')
  if (mayChange) return <Fields key={JSON.stringify(retention)} retention={retention} />
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="dl" m={0}>
      {KINDS.map((kind) => (
        <Fact key={kind} label={TEXTS[kind].label}>
          {retention[kind] === 'forever' ? 'Forever' : showPeriod(retention[kind])}
          <Text size="xs" c="dimmed">
            {TEXTS[kind].description}
          </Text>
        </Fact>
      ))}
    </SimpleGrid>
  )
}

function Fields({ retention }: { retention: Retention }) {
  const team = useTeam()
  const { content, attempts, events, webhook_deliveries } = retention
  const form = useForm<GivenPeriods>({ initialValues: { content, attempts, events, webhook_deliveries } })
  const change = useChange<Retention>({
    onDone: () => notifyDone('Retention periods changed.'),
    onError: (error) => showFieldErrors(form, error),
  })
  const { isRunning, attempt } = useOneAttempt()
  const askOrSave = async (body: Partial<GivenPeriods>) => {
    const save = () => change.mutate({ path: '/retention', method: 'PATCH', body })
    // Others may have lengthened a period since this page was loaded.
    const now = await requestJson<Retention>('/retention', { teamId: team.id })
    const isAsked = KINDS.some((kind) => isShorter(body[kind] ?? now[kind], now[kind]))
    if (!isAsked) save()
    else
      confirm({
        title: 'Shorten the retention periods?',
        children: 'Data older than a shortened period is permanently deleted within hours.',
        action: 'Shorten',
        onConfirm: save,
      })
    return true
  }
  const submit = form.onSubmit((values) => {
    const changes = changedFields(values, form.getInitialValues())
    void attempt(() => askOrSave(changes)).catch(notifyError)
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
              {...form.getInputProps(kind)}
            />
          ))}
        </SimpleGrid>
        <ErrorNote error={change.error} shownFields={KINDS} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Emails and their recipients are kept for {showPeriod(retention.emails)}, the longest of these
            periods.
          </Text>
          <Button
            type="submit"
            variant="default"
            disabled={!form.isDirty()}
            loading={isRunning || change.isPending}
          >
            Save periods
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
