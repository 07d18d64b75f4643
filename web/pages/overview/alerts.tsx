import { Anchor, Group, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconFlame, IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Alert } from '../../api/records.ts'
import { type ListOf, useGet, useMay, useTeam } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'

const SEVERITIES: Readonly<Record<Alert['severity'], [word: string, color: string, icon: Icon]>> = {
  critical: ['Urgent', 'red', IconFlame],
  warning: ['Warning', 'orange', IconAlertTriangle],
  info: ['Info', 'blue', IconInfoCircle],
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
      <Group gap={8} mb="md" wrap="nowrap">
        <ThemeIcon variant="light" color="green" size={24} radius="xl">
          <IconCircleCheck size={16} />
        </ThemeIcon>
        <Text size="sm">Nothing needs attention.</Text>
      </Group>
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
  const [word, color, Glyph] = SEVERITIES[severity]
  const to = usePlace(alert)
  return (
    <li>
      <ThemeIcon variant="light" color={color} size={24} radius="xl" aria-label={word} role="img">
        <Glyph size={15} />
      </ThemeIcon>
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" className="foreign">
          {message}
        </Text>
        <Group gap="xs">
          {to !== null && (
            <Anchor component={Link} to={to} size="sm">
              <span className="foreign">{subject?.name ?? 'View'}</span>
            </Anchor>
          )}
          {since !== null && (
            <Text size="xs" c="dimmed">
              since <Moment at={since} isRelative />
            </Text>
          )}
        </Group>
      </div>
    </li>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  domain: 'domains',
  webhook: 'webhooks',
  email: 'emails',
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
