import { Anchor, Group, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconFlame, IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Alert } from '../../api/records.ts'
import { type ListOf, useGet, useMay, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/section.tsx'

const GRADES: Readonly<Record<Alert['severity'], [word: string, color: string, icon: Icon]>> = {
  critical: ['Urgent', 'red', IconFlame],
  warning: ['Warning', 'orange', IconAlertTriangle],
  info: ['To know', 'blue', IconInfoCircle],
}
/** Nobody tells the team of what waits or of quotas as they change. */
const LOOK_AGAIN_MS = 60_000

/** What somebody should look at now. */
export function Attention() {
  const may = useMay()
  const { data, error, refetch } = useGet<ListOf<Alert>>('/attention', {
    enabled: may.read('Overview'),
    refetchIntervalMs: LOOK_AGAIN_MS,
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
        {data.data.map((item) => (
          <Item key={`${item.kind} ${item.subject?.id ?? item.subject?.name ?? ''}`} item={item} />
        ))}
      </ul>
    </Section>
  )
}

function Item({ item }: { item: Alert }) {
  const { severity, message, subject, since } = item
  const [word, color, Glyph] = GRADES[severity]
  const to = usePlace(item)
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
              <span className="foreign">{subject?.name ?? 'Look at it'}</span>
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

/** The page where something can be done about it. */
function usePlace({ kind, subject }: Alert): string | null {
  const team = useTeam()
  if (kind.startsWith('quota')) return `/${team.id}/usage`
  if (subject === null) return null
  if (subject.type === 'api_key') return `/${team.id}/api-keys`
  const place = PLACES[subject.type]
  return place === undefined || subject.id === null ? null : `/${team.id}/${place}/${subject.id}`
}
