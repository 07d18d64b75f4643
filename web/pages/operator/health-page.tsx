import { Grid, List, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { Health } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { Figure } from '../../ui/figure.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State } from '../../ui/status-badge.tsx'
import { showDuration } from '../../ui/times.ts'

const REFRESH_MS = 5_000
const STATUSES = {
  ok: ['green', 'Healthy'],
  warning: ['amber', 'Warning'],
  problem: ['red', 'Problem'],
} as const

/** The health of the installation. */
export function HealthPage() {
  const { data, error, refetch } = useGet<Health>('/operator/health', {
    isTeamless: true,
    refetchIntervalMs: REFRESH_MS,
  })
  const [color, word] = data === undefined ? (['gray', ''] as const) : STATUSES[data.status]
  return (
    <Page
      title="Health"
      badge={data !== undefined && <State tone={color}>{word}</State>}
      description="The state that this server process sees, without network checks. “sendwright doctor” also checks DNS, ports and certificates."
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Skeleton height={320} radius="md" aria-busy />
      ) : (
        <Sections health={data} />
      )}
    </Page>
  )
}

function Sections({ health }: { health: Health }) {
  return (
    <>
      <Grid gap="md" mb="md">
        {figuresOf(health).map((figure) => (
          <Grid.Col key={figure.label} span={{ base: 12, xs: 6, lg: 4 }}>
            <Figure {...figure} />
          </Grid.Col>
        ))}
      </Grid>
      <Section title="Findings">
        <List spacing="sm" size="sm" listStyleType="none" withPadding={false}>
          {health.findings.map((finding) => (
            <List.Item key={finding.check} icon={<LevelIcon level={finding.level} />}>
              <Text span fw={500} size="sm">
                {finding.check}:
              </Text>{' '}
              {finding.found}
              {finding.advice !== null && (
                <Text size="sm" c="dimmed">
                  {finding.advice}
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      </Section>
    </>
  )
}

function figuresOf({
  database,
  disk,
  queue,
  delivery,
  version,
  certificate_expires_at: expires,
  last_backup: backup,
}: Health) {
  return [
    {
      label: 'Version',
      value: version,
      note: `Mail leaves: ${DELIVERY_WORDS[delivery]}`,
    },
    database.reachable
      ? {
          label: `Database (${database.kind})`,
          value: showBytes(database.size_bytes),
          note: `PostgreSQL ${database.version}, ${database.connections} of ${database.connections_max} connections${database.in_recovery ? ', in recovery' : ''}`,
        }
      : {
          label: `Database (${database.kind})`,
          value: 'Unavailable',
          note: 'The database does not respond.',
        },
    {
      label: 'Disk of the data directory',
      value: disk === null ? 'Unknown' : `${showBytes(disk.free_bytes)} free`,
      note: disk === null ? undefined : `of ${showBytes(disk.total_bytes)}`,
    },
    {
      label: 'Oldest ready email',
      value: queue === null ? 'Unknown' : showDuration(queue.oldest_ready_seconds * 1_000),
      note:
        queue?.oldest_ready_seconds_max == null
          ? 'waited so long'
          : `“not ready” beyond ${showDuration(queue.oldest_ready_seconds_max * 1_000)}`,
    },
    {
      label: 'Last backup',
      value: backup === null ? 'None' : <Moment at={backup.made_at} isRelative />,
      note:
        backup === null
          ? 'made with “sendwright backup”'
          : `${backup.rows.toLocaleString()} rows, ${showBytes(backup.bytes)}`,
    },
    {
      label: 'TLS certificate of SMTP',
      value: expires === null ? 'Self-signed' : <Moment at={expires} />,
      note: expires === null ? 'none is set' : 'is when it expires',
    },
  ]
}

const DELIVERY_WORDS = {
  capture: 'not at all, it is captured',
  direct: 'straight to recipients’ servers',
  relay: 'through a relay',
}

function LevelIcon({ level }: { level: Health['findings'][number]['level'] }) {
  if (level === 'ok')
    return <IconCircleCheck color="var(--mantine-color-green-filled)" aria-label="Healthy" />
  if (level === 'note') return <IconInfoCircle color="var(--app-dimmed)" aria-label="A note" />
  const color = level === 'problem' ? 'var(--mantine-color-red-filled)' : 'var(--mantine-color-orange-filled)'
  return <IconAlertTriangle color={color} aria-label={level === 'problem' ? 'A problem' : 'A warning'} />
}
