import { Grid, Skeleton, Text } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import type { Usage } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import { Meter } from './meter.tsx'
import { MonthBars } from './month-bars.tsx'

/** Emails that are accepted are told of; what is sent by others, and minutes that pass, are not. */
const REFRESH_MS = 30_000

/** What the team has sent, and what it may send. */
export function UsagePage() {
  const { data, error, refetch } = useGet<Usage>('/usage', { refetchIntervalMs: REFRESH_MS })
  return (
    <Page
      title="Usage and limits"
      description="Quotas count recipients: an email to three people counts three. Months and days are those of UTC."
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined ? <UsageSkeleton /> : <UsageSections usage={data} />}
    </Page>
  )
}

function UsageSections({ usage }: { usage: Usage }) {
  const { plan, month, day, rate_limit: rate, months, emails_this_month: emails } = usage
  return (
    <>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <Section title="This month" description={`Plan: ${showWord(plan)}`}>
            <Meter unit="recipients" used={month.used} limit={month.limit} resetsAt={month.resets_at} />
            <Text size="sm" c="dimmed" mt="xs">
              {emails === 1 ? '1 email' : `${emails.toLocaleString()} emails`} accepted
            </Text>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <Section title="Today" description="From midnight to midnight, UTC">
            <Meter unit="recipients" used={day.used} limit={day.limit} resetsAt={day.resets_at} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 12, lg: 4 }}>
          <Section title="Requests that send" description="A minute, of POST /emails and its kin">
            <Meter unit="requests" used={rate.used} limit={rate.limit} resetsAt={rate.resets_at} />
          </Section>
        </Grid.Col>
      </Grid>
      <Section title="By month">
        {months.length === 0 ? (
          <EmptyState icon={IconGauge} title="Nothing was sent yet">
            Each month in which something is sent gets a row here.
          </EmptyState>
        ) : (
          <MonthBars months={months} />
        )}
      </Section>
    </>
  )
}

function UsageSkeleton() {
  return (
    <Grid gap="md" aria-busy>
      {['month', 'day', 'rate'].map((name) => (
        <Grid.Col key={name} span={{ base: 12, sm: 6, lg: 4 }}>
          <Skeleton height={150} radius="md" />
        </Grid.Col>
      ))}
    </Grid>
  )
}
