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

const REFRESH_MS = 5_000

/** The depth of the queue, in total and by destination. */
export function QueuePage() {
  const { data, error, refetch } = useGet<OperatorQueue>('/operator/queue', {
    isTeamless: true,
    refetchIntervalMs: REFRESH_MS,
  })
  return (
    <Page
      title="Queue"
      description={
        data === undefined ? (
          'Deliveries without a final result.'
        ) : (
          <>
            Deliveries without a final result, as of <Moment at={data.as_of} isRelative />.
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
    `${value.toLocaleString()}${value >= queue.counted_up_to ? ' or more' : ''}`
  return (
    <>
      <Grid gap="md" mb="md">
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label="Ready"
            value={count(queue.ready)}
            note={`oldest: ${showDuration(queue.oldest_ready_seconds * 1_000)}`}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure label="In progress" value={count(queue.leased)} note="leased by a process" />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label="Delayed"
            value={count(queue.delayed)}
            note="until the next attempt, or for a paused site"
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Figure
            label="Scheduled"
            value={count(queue.scheduled)}
            note={
              queue.next_due_at === null ? (
                'none is due'
              ) : (
                <>
                  next due <Moment at={queue.next_due_at} isRelative />
                </>
              )
            }
          />
        </Grid.Col>
      </Grid>
      <Sums
        title="By team"
        rows={queue.by_team.map((team) => ({ ...team, key: team.team_id, name: team.name ?? team.team_id }))}
      />
      <Sums
        title="By destination"
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
          No deliveries are waiting.
        </Text>
      ) : (
        <Rows label={title} headers={['Name', 'Ready', 'Waiting', 'Oldest ready']}>
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
    <Section title="Paused sites" description="Waiting deliveries are sent when the site resumes.">
      {sites.length === 0 ? (
        <EmptyState icon={IconStackFront} title="No paused sites">
          A site is a set of mail servers. Sendwright pauses a site that limits its sending rate or does not
          respond.
        </EmptyState>
      ) : (
        sites.map((site) => (
          <Box key={site.name} py="xs">
            <Anchor component={Link} to="/operator/sites" search={{ site: site.name } as never} size="sm">
              <span className="foreign">{site.name}</span>
            </Anchor>
            <Text size="sm">
              {site.waiting.toLocaleString()} wait until <Moment at={site.paused_until} />
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
