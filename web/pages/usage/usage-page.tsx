import { Grid, Progress, Skeleton, Text } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import type { Usage } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { showWord } from '../../ui/status-badge.tsx'

/** The event stream announces accepted emails, but the rate limit also recovers as time passes. */
const REFRESH_MS = 30_000

/** The team's usage and its limits. */
export function UsagePage() {
  const { data, error, refetch } = useGet<Usage>('/usage', { refetchIntervalMs: REFRESH_MS })
  return (
    <Page
      title="Usage and limits"
      description="Quotas count recipients: an email to three people counts as three. Months and days are in UTC."
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
              {plural(emails, '1 email accepted', `${emails.toLocaleString()} emails accepted`)}
            </Text>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <Section title="Today" description="From midnight to midnight, UTC">
            <Meter unit="recipients" used={day.used} limit={day.limit} resetsAt={day.resets_at} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 12, lg: 4 }}>
          <Section title="Sending requests" description="Per minute, for POST /emails and related endpoints">
            <Meter unit="requests" used={rate.used} limit={rate.limit} resetsAt={rate.resets_at} />
          </Section>
        </Grid.Col>
      </Grid>
      <Section title="By month">
        {months.length === 0 ? (
          <EmptyState icon={IconGauge} title="No emails sent yet">
            Every month with sent email appears here.
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

interface MeterProps {
  used: number
  /** Null when there is no limit. */
  limit: number | null
  unit: string
  resetsAt: string | null
}

/** Thresholds of the warning colours, in percent. */
const NEAR = 80
const VERY_NEAR = 95

/** Shows how much of a limit is used. */
function Meter({ used, limit, unit, resetsAt }: MeterProps) {
  const percent = limit === null || limit === 0 ? 0 : Math.min(100, (100 * used) / limit)
  const color = percent >= VERY_NEAR ? 'red' : percent >= NEAR ? 'orange' : 'sea'
  return (
    <>
      <Text className="figure-value">
        {used.toLocaleString()}
        <Text span size="sm" c="dimmed" fw={400}>
          {' '}
          {limit === null ? `${unit}, no limit` : `of ${limit.toLocaleString()} ${unit}`}
        </Text>
      </Text>
      {limit !== null && (
        <Progress
          value={percent}
          color={color}
          mt="sm"
          aria-label={`${Math.round(percent)} % of ${unit} used`}
        />
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {limit !== null && `${Math.round(percent)} % used. `}
        {resetsAt !== null && (
          <>
            Resets <Moment at={resetsAt} isRelative />.
          </>
        )}
      </Text>
    </>
  )
}

type Months = Usage['months']

const NAMES = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Recipients and emails by month, as numbers with bars. */
function MonthBars({ months }: { months: Months }) {
  const most = Math.max(1, ...months.map(({ recipients }) => recipients))
  return (
    <table className="rows" aria-label="Usage by month">
      <thead>
        <tr>
          <th scope="col" style={{ width: '34%' }}>
            Month
          </th>
          <th scope="col" style={{ textAlign: 'right' }}>
            Recipients
          </th>
          <th scope="col" style={{ textAlign: 'right' }}>
            Emails
          </th>
          <th scope="col" data-wide style={{ width: '40%' }}>
            Share of the busiest month
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, recipients, emails }) => (
          <tr key={month}>
            <td>{NAMES.format(new Date(`${month}-01T00:00:00Z`))}</td>
            <td style={{ textAlign: 'right' }}>{recipients.toLocaleString()}</td>
            <td style={{ textAlign: 'right' }}>{emails.toLocaleString()}</td>
            <td data-wide>
              <div
                aria-hidden
                className="month-bar"
                style={{ width: `${Math.max(0.5, (100 * recipients) / most)}%` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
