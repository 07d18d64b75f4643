import { Anchor, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import type { Alert } from '../../api/records.ts'
import { type ListOf, useGet, useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State, type Tone } from '../../ui/status-badge.tsx'

const SEVERITIES: Readonly<Record<Alert['severity'], [word: string, tone: Tone]>> = {
  critical: ['Urgent', 'red'],
  warning: ['Warning', 'amber'],
  info: ['Info', 'blue'],
}
/** The event stream does not announce changes of waiting mail and quotas. */
const REFRESH_MS = 60_000

/** The team's current alerts. */
export function Alerts() {
  const may = useMay()
  const { data, error, refetch } = useGet<ListOf<Alert>>('/attention', {
    enabled: may.read('Overview'),
    refetchIntervalMs: REFRESH_MS,
  })
  if (!may.read('Overview')) return null
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={44} mb="md" />
  if (data.data.length === 0)
    return (
      <Text size="sm" c="dimmed" mb="lg" component="div">
        <State tone="green">Nothing needs attention.</State>
      </Text>
    )
  return (
    <Section title="Needs attention" isFlush>
      <ul className="attention">
        {data.data.map((alert) => (
          <Item key={`${alert.kind} ${alert.subject?.id ?? alert.subject?.name ?? ''}`} alert={alert} />
        ))}
      </ul>
    </Section>
  )
}

function Item({ alert }: { alert: Alert }) {
  const { severity, message, subject, since } = alert
  const [word, tone] = SEVERITIES[severity]
  const to = usePlace(alert)
  return (
    <li data-tone={tone}>
      <div>
        <Text size="sm" className="foreign">
          <VisuallyHidden>{word}: </VisuallyHidden>
          {message}
        </Text>
        {since !== null && (
          <Text size="xs" c="dimmed">
            since <Moment at={since} isRelative />
          </Text>
        )}
      </div>
      {to !== null && (
        <Anchor component={Link} to={to} size="sm">
          <span className="foreign">{subject?.name ?? 'View'}</span>
        </Anchor>
      )}
    </li>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  domain: 'domains',
  webhook: 'webhooks',
  email: 'emails',
  campaign: 'campaigns',
  automation: 'automations',
}

/** Returns the page on which the user can resolve the alert. */
function usePlace({ kind, subject }: Alert): string | null {
  const team = useTeam()
  if (kind.startsWith('quota')) return `/${team.id}/usage`
  if (subject === null) return null
  if (subject.type === 'api_key') return `/${team.id}/api-keys`
  const place = PLACES[subject.type]
  return place === undefined || subject.id === null ? null : `/${team.id}/${place}/${subject.id}`
}
