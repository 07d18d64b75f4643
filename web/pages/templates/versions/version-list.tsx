import { Button, Center, Group, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { VersionSummary } from '../../../api/records.ts'
import { type ReadList, useTeam } from '../../../api/team.ts'
import { Link } from '../../../ui/link.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { State } from '../../../ui/status-badge.tsx'

interface ListProps {
  list: ReadList<VersionSummary>
  /** The version that is shown. */
  current: number | null
}

/** Links to the stored versions, newest first. */
export function VersionList({ list, current }: ListProps) {
  const team = useTeam()
  const { templateId = '' } = useParams({ strict: false }) as { templateId?: string }
  return (
    <nav aria-label="Versions">
      <ul className="versions">
        {list.rows.map((row) => (
          <li key={row.id}>
            <Link
              to={`/${team.id}/templates/${templateId}/versions`}
              search={{ version: String(row.version) } as never}
              replace
              resetScroll={false}
              className="version"
              aria-current={row.version === current ? 'true' : undefined}
              data-current={row.version === current || undefined}
            >
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600} span>
                  Version {row.version}
                </Text>
                {row.is_current && <State tone="green">Now</State>}
              </Group>
              <Text size="xs" c="dimmed" span display="block">
                <Moment at={row.created_at} isRelative /> · {describeAuthor(row)}
              </Text>
              <Text size="xs" span className="one-line">
                {row.subject}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Center py="sm">
          <Button variant="subtle" size="compact-sm" loading={list.isFetching} onClick={list.readMore}>
            Show more
          </Button>
        </Center>
      )}
    </nav>
  )
}

function describeAuthor({ created_by: author }: VersionSummary): string {
  if (author === null) return 'unknown author'
  return author.name ?? (author.type === 'user' ? 'a former member' : 'a deleted API key')
}
