import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Erasure } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const POLL_MS = 1_000
const WORDS: Readonly<Record<string, string>> = {
  running: 'The erasure continues in the background. You can close this page.',
  waiting:
    'Everything is removed except messages that are still queued for other recipients. Those are removed once they are delivered or have failed.',
  completed: 'All data of the person is erased.',
}

/** The progress of an erasure. It does not name the person, because the name is erased. */
export function ErasurePage() {
  const team = useTeam()
  const { erasureId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useGet<Erasure>(`/erasures/${erasureId}`, {
    refetchIntervalMs: POLL_MS,
    refetchWhile: ({ status }) => status !== 'completed',
  })
  return (
    <Page
      title="Erasure of a person"
      trail={[{ label: 'Contacts', to: `/${team.id}/contacts` }]}
      badge={data !== undefined && <StatusBadge status={data.status} />}
      isNarrow
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Skeleton height={140} radius="md" aria-busy />}
      {data !== undefined && (
        <Section>
          <Text size="sm" mb="md" role="status">
            {WORDS[data.status]}
          </Text>
          <SimpleGrid cols={{ base: 2, sm: 4 }} component="dl" m={0}>
            <Fact label="Emails erased">{data.emails.toLocaleString()}</Fact>
            <Fact label="Emails waiting">{data.waiting_emails.toLocaleString()}</Fact>
            <Fact label="Started">
              <Moment at={data.created_at} />
            </Fact>
            <Fact label="Finished">
              <Moment at={data.finished_at} />
            </Fact>
          </SimpleGrid>
        </Section>
      )}
    </Page>
  )
}
