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
import { texts } from './texts.ts'

const REFRESH_MS = 5_000
const STATUSES = {
  ok: ['green', texts.healthPage.healthy],
  warning: ['amber', texts.healthPage.warning],
  problem: ['red', texts.healthPage.problem],
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
      title={texts.healthPage.health}
      badge={data !== undefined && <State tone={color}>{word}</State>}
      description={texts.healthPage.stateServerProcessSees}
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
      <Section title={texts.healthPage.findings}>
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
      label: texts.healthPage.version,
      value: version,
      note: texts.healthPage.mailLeaves(DELIVERY_WORDS[delivery]),
    },
    database.reachable
      ? {
          label: texts.healthPage.database(database.kind),
          value: showBytes(database.size_bytes),
          note: texts.healthPage.databaseNote(
            database.version,
            database.connections,
            database.connections_max,
            database.in_recovery ? texts.healthPage.inRecovery : '',
          ),
        }
      : {
          label: texts.healthPage.database(database.kind),
          value: 'Unavailable',
          note: texts.healthPage.databaseDoesNotRespond,
        },
    {
      label: texts.healthPage.diskDataDirectory,
      value:
        disk === null ? texts.healthPage.unknown : texts.healthPage.freeBytes(showBytes(disk.free_bytes)),
      note: disk === null ? undefined : texts.healthPage.ofTotal(showBytes(disk.total_bytes)),
    },
    {
      label: texts.healthPage.oldestReadyEmail,
      value: queue === null ? texts.healthPage.unknown : showDuration(queue.oldest_ready_seconds * 1_000),
      note:
        queue?.oldest_ready_seconds_max == null
          ? texts.healthPage.waitedSoLong
          : texts.healthPage.notReadyBeyond(showDuration(queue.oldest_ready_seconds_max * 1_000)),
    },
    {
      label: texts.healthPage.lastBackup,
      value: backup === null ? texts.healthPage.none : <Moment at={backup.made_at} isRelative />,
      note:
        backup === null
          ? texts.healthPage.madeWithSendwrightBackup
          : texts.healthPage.backupSize(backup.rows.toLocaleString(), showBytes(backup.bytes)),
    },
    {
      label: texts.healthPage.tlsCertificateOfSmtp,
      value: expires === null ? texts.healthPage.selfSigned : <Moment at={expires} />,
      note: expires === null ? texts.healthPage.noneIsSet : texts.healthPage.isWhenItExpires,
    },
  ]
}

const DELIVERY_WORDS = texts.healthPage.deliveryWords

function LevelIcon({ level }: { level: Health['findings'][number]['level'] }) {
  if (level === 'ok')
    return <IconCircleCheck color="var(--mantine-color-green-filled)" aria-label={texts.healthPage.healthy} />
  if (level === 'note')
    return <IconInfoCircle color="var(--app-dimmed)" aria-label={texts.healthPage.aNote} />
  const color = level === 'problem' ? 'var(--mantine-color-red-filled)' : 'var(--mantine-color-orange-filled)'
  return (
    <IconAlertTriangle
      color={color}
      aria-label={level === 'problem' ? texts.healthPage.aProblem : texts.healthPage.aWarning}
    />
  )
}
