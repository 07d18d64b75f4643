import { Anchor, Progress, Skeleton, Stack, Text } from '@mantine/core'
import type { EmailSummary, Usage } from '../../api/records.ts'
import { type ListOf, useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'

/** The share of the quota above which the user is warned. */
const NEAR_END = 0.8

/** The used share of the quota. */
export function UsageSection() {
  const team = useTeam()
  const { data, error } = useGet<Usage>('/usage')
  return (
    <Section
      title="Quota"
      description={data === undefined ? ' ' : `Plan: ${showWord(String(data.plan))}`}
      actions={
        <Anchor component={Link} to={`/${team.id}/usage`} size="sm">
          Usage
        </Anchor>
      }
    >
      <ErrorNote error={error} />
      {data === undefined ? (
        error === null && <Skeleton height={64} />
      ) : (
        <Stack gap="sm">
          <Period label="This month" period={data.month} />
          <Period label="Today" period={data.day} />
        </Stack>
      )}
    </Section>
  )
}

function Period({ label, period: { used, limit } }: { label: string; period: Usage['month'] }) {
  const share = limit === null || limit === 0 ? 0 : used / limit
  return (
    <div>
      <dl className="pairs">
        <div>
          <dt>{label}</dt>
          <dd>
            {used.toLocaleString()}
            {limit === null ? ' · no limit' : ` of ${limit.toLocaleString()}`}
          </dd>
        </div>
      </dl>
      {limit !== null && (
        <Progress
          value={share * 100}
          color={share >= 1 ? 'red' : share >= NEAR_END ? 'orange' : 'sea'}
          size="sm"
          aria-label={`${label}: ${Math.round(share * 100)} % used`}
        />
      )}
    </div>
  )
}

/** Precedes every id, so `before` it returns the oldest email first. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const WAITING = ['queued', 'delivery_delayed', 'scheduled'] as const

/** The emails without a final status, and the oldest of them. */
export function WaitingSection() {
  return (
    <Section title="Waiting" description="Emails without a final status.">
      <dl className="pairs">
        {WAITING.map((status) => (
          <Waiting key={status} status={status} />
        ))}
      </dl>
      <Oldest />
    </Section>
  )
}

function Waiting({ status }: { status: string }) {
  const team = useTeam()
  const { data, error } = useGet<ListOf<EmailSummary>>('/emails', { query: { status, limit: 1 } })
  return (
    <div>
      <dt>{showWord(status)}</dt>
      <dd>
        {error !== null ? (
          'unknown'
        ) : data === undefined ? (
          <Skeleton height={14} width={40} />
        ) : (
          <Anchor component={Link} to={`/${team.id}/emails`} search={{ status } as never} size="sm">
            {(data.meta?.total ?? 0).toLocaleString()}
          </Anchor>
        )}
      </dd>
    </div>
  )
}

/** The delayed email that was accepted first. */
function Oldest() {
  const team = useTeam()
  const query = { status: 'delivery_delayed', before: FIRST_ID, limit: 1 }
  const { data } = useGet<ListOf<EmailSummary>>('/emails', { query })
  const oldest = data?.data[0]
  if (oldest === undefined) return null
  return (
    <Text size="sm" mt="xxs">
      Delayed longest:{' '}
      <Anchor component={Link} to={`/${team.id}/emails/${oldest.id}`} size="sm">
        accepted <Moment at={oldest.created_at} isRelative />
      </Anchor>
    </Text>
  )
}
