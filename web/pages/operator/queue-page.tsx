import { Anchor, Box, Grid, Skeleton, Text } from '@mantine/core'
import { IconStackFront } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { OperatorQueue } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Figure } from '../../ui/figure.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showDuration } from '../../ui/times.ts'
import { texts } from './texts.ts'

const REFRESH_MS = 5_000

/** The depth of the queue, in total and by destination. */
export function QueuePage() {
  const { data, error, refetch } = useGet<OperatorQueue>('/operator/queue', {
    isTeamless: true,
    refetchIntervalMs: REFRESH_MS,
  })
  return (
    <Page
      title={texts.queuePage.queue}
      description={
        data === undefined ? (
          texts.queuePage.deliveriesWithoutFinalResult
        ) : (
          <>
            {texts.queuePage.deliveriesWithoutAFinalResultAs} <Moment at={data.as_of} isRelative />.
          </>
        )
      }
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Skeleton height={320} radius="md" aria-busy />
      ) : (
        <Sections queue={data} />
      )}
    </Page>
  )
}

function Sections({ queue }: { queue: OperatorQueue }) {
  const count = (value: number) =>
    `${value.toLocaleString()}${value >= queue.counted_up_to ? texts.queuePage.orMore : ''}`
  return (
    <>
      <Grid gap="md" mb="md">
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label={texts.queuePage.ready}
            value={count(queue.ready)}
            note={texts.queuePage.oldest(showDuration(queue.oldest_ready_seconds * 1_000))}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label={texts.queuePage.inProgress}
            value={count(queue.leased)}
            note={texts.queuePage.leasedByAProcess}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label={texts.queuePage.delayed}
            value={count(queue.delayed)}
            note={texts.queuePage.untilNextAttemptPaused}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label={texts.queuePage.scheduled}
            value={count(queue.scheduled)}
            note={
              queue.next_due_at === null ? (
                texts.queuePage.noneIsDue
              ) : (
                <>
                  {texts.queuePage.nextDue} <Moment at={queue.next_due_at} isRelative />
                </>
              )
            }
          />
        </Grid.Col>
      </Grid>
      <Sums
        title={texts.queuePage.byTeam}
        rows={queue.by_team.map((team) => ({ ...team, key: team.team_id, name: team.name ?? team.team_id }))}
      />
      <Sums
        title={texts.queuePage.byDestination}
        rows={queue.by_destination.map((each) => ({ ...each, key: each.domain, name: each.domain }))}
      />
      <ShutSites sites={queue.by_site} />
    </>
  )
}

interface Sum {
  key: string
  name: string
  ready: number
  waiting: number
  oldest_ready_at: string | null
}

function Sums({ title, rows }: { title: string; rows: readonly Sum[] }) {
  return (
    <Section title={title} isFlush>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {texts.queuePage.noDeliveriesAreWaiting}
        </Text>
      ) : (
        <Rows
          label={title}
          headers={[
            texts.queuePage.name,
            texts.queuePage.ready,
            texts.queuePage.waiting,
            texts.queuePage.oldestReady,
          ]}
        >
          {rows.map(({ key, name, ready, waiting, oldest_ready_at: oldest }) => (
            <tr key={key}>
              <td className="foreign">{name}</td>
              <td style={{ textAlign: 'right' }}>{ready.toLocaleString()}</td>
              <td style={{ textAlign: 'right' }}>{waiting.toLocaleString()}</td>
              <td data-wide style={{ textAlign: 'right' }}>
                <Moment at={oldest} isRelative />
              </td>
            </tr>
          ))}
        </Rows>
      )}
    </Section>
  )
}

function Rows({
  label,
  headers,
  children,
}: {
  label: string
  headers: readonly string[]
  children: ReactNode
}) {
  return (
    <table className="rows" aria-label={label}>
      <thead>
        <tr>
          {headers.map((header, index) => (
            <th
              key={header}
              scope="col"
              data-wide={index === 3 || undefined}
              style={index === 0 ? {} : { textAlign: 'right', width: index === 3 ? 180 : 100 }}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

function ShutSites({ sites }: { sites: OperatorQueue['by_site'] }) {
  return (
    <Section title={texts.queuePage.pausedSites} description={texts.queuePage.waitingDeliveriesSentWhen}>
      {sites.length === 0 ? (
        <EmptyState icon={IconStackFront} title={texts.queuePage.noPausedSites}>
          {texts.queuePage.siteSetMailServers}
        </EmptyState>
      ) : (
        sites.map((site) => (
          <Box key={site.name} py="xs">
            <Anchor component={Link} to="/operator/sites" search={{ site: site.name } as never} size="sm">
              <span className="foreign">{site.name}</span>
            </Anchor>
            <Text size="sm">
              {texts.queuePage.waitUntil(site.waiting.toLocaleString())} <Moment at={site.paused_until} />
            </Text>
            <Text size="sm" c="dimmed" className="foreign">
              {site.reason}
            </Text>
          </Box>
        ))
      )}
    </Section>
  )
}
