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
import { texts } from './texts.ts'

const POLL_MS = 1_000
const WORDS: Readonly<Record<string, string>> = texts.erasurePage.words

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
      title={texts.erasurePage.erasureOfAPerson}
      trail={[{ label: texts.erasurePage.contacts, to: `/${team.id}/contacts` }]}
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
            <Fact label={texts.erasurePage.emailsErased}>{data.emails.toLocaleString()}</Fact>
            <Fact label={texts.erasurePage.emailsWaiting}>{data.waiting_emails.toLocaleString()}</Fact>
            <Fact label={texts.erasurePage.started}>
              <Moment at={data.created_at} />
            </Fact>
            <Fact label={texts.erasurePage.finished}>
              <Moment at={data.finished_at} />
            </Fact>
          </SimpleGrid>
        </Section>
      )}
    </Page>
  )
}
