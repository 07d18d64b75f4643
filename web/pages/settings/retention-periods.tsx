import { Button, Group, Select, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Retention } from '../../api/account-records.ts'
import { useChange, useGet, useMay } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { confirm } from '../../ui/forms/confirm.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { choicesFor, type Periods as GivenPeriods, isShorter, KINDS, showPeriod } from './periods.ts'
import { texts } from './texts.ts'

const TEXTS: Readonly<Record<keyof GivenPeriods, { label: string; description: string }>> =
  texts.retentionPeriods.periods

/** Sets how long the team's data is kept. */
export function RetentionPeriods() {
  const retention = useGet<Retention>('/retention')
  return (
    <Section title={texts.retentionPeriods.retention} description={texts.retentionPeriods.howLongDataKept}>
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
          {retention[kind] === 'forever' ? texts.retentionPeriods.forever : showPeriod(retention[kind])}
          <Text size="xs" c="dimmed">
            {TEXTS[kind].description}
          </Text>
        </Fact>
      ))}
    </SimpleGrid>
  )
}

function Fields({ retention }: { retention: Retention }) {
  const { content, attempts, events, webhook_deliveries } = retention
  const form = useForm<GivenPeriods>({ initialValues: { content, attempts, events, webhook_deliveries } })
  const change = useChange<Retention>({
    onDone: () => notifyDone(texts.retentionPeriods.retentionPeriodsChanged),
    onError: (error) => showFieldErrors(form, error),
  })
  const save = (body: GivenPeriods) => change.mutate({ path: '/retention', method: 'PATCH', body })
  const submit = form.onSubmit((given) => {
    if (!KINDS.some((kind) => isShorter(given[kind], retention[kind]))) return save(given)
    confirm({
      title: texts.retentionPeriods.shortenTheRetentionPeriods,
      children: texts.retentionPeriods.dataOlderThanShortened,
      action: texts.retentionPeriods.shorten,
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
              {...form.getInputProps(kind)}
            />
          ))}
        </SimpleGrid>
        <ErrorNote error={change.error} shownFields={KINDS} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {texts.retentionPeriods.emailsRecipientsKeptLongest(showPeriod(retention.emails))}
          </Text>
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={change.isPending}>
            {texts.retentionPeriods.savePeriods}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
