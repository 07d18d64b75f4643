import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Erasure } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const POLL_MS = 1_000
const WORDS: Readonly<Record<string, string>> = {
  running: 'It goes on in the background; this page may be closed.',
  waiting:
    'All is removed but messages that other recipients are still to get. Those are removed once they are delivered or given up.',
  completed: 'Nothing of the person is left.',
}

/** How far the forgetting of a person is. Who it is, it does not say: it is forgotten. */
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
            <Fact label="Begun">
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
