import { Button, Center, Skeleton, Text } from '@mantine/core'
import type { CapturedSummary } from '../../api/records.ts'
import { type ReadList, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { NewRows } from '../../ui/tables/new-rows.tsx'

interface CapturedListProps {
  list: ReadList<CapturedSummary>
  chosenId: string | null
}

/** The captured messages, newest first. */
export function CapturedList({ list, chosenId }: CapturedListProps) {
  const team = useTeam()
  return (
    <nav className="mailbox-list" aria-label="Messages" aria-busy={list.isPending}>
      <NewRows list={list} />
      {list.error !== null && <ErrorNote error={list.error} onRetry={list.refetch} />}
      {list.isPending && [0, 1, 2, 3].map((key) => <Skeleton key={key} height={46} m="sm" w="auto" />)}
      <ul>
        {list.rows.map((row) => (
          <li key={row.id}>
            <Link
              to={`/${team.id}/captured/${row.id}`}
              aria-current={row.id === chosenId ? 'true' : undefined}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              <Entry row={row} />
            </Link>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Center py="sm">
          <Button variant="subtle" loading={list.isFetching} onClick={list.readMore}>
            Show more
          </Button>
        </Center>
      )}
    </nav>
  )
}

function Entry({ row: { envelope_to, subject, from, received_at } }: { row: CapturedSummary }) {
  const sender = from[0]
  return (
    <>
      <span className="mailbox-line">
        <Text span size="sm" fw={600} className="one-line">
          <bdi>{envelope_to}</bdi>
        </Text>
        <Text span size="xs" c="dimmed">
          <Moment at={received_at} isRelative />
        </Text>
      </span>
      <Text span size="sm" className="one-line">
        <bdi>{subject === null || subject === '' ? '(no subject)' : subject}</bdi>
      </Text>
      {sender !== undefined && (
        <Text span size="xs" c="dimmed" className="one-line">
          from <bdi>{sender.name === '' ? sender.address : sender.name}</bdi>
        </Text>
      )}
    </>
  )
}
