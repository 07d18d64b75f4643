import { Anchor, Skeleton, Text } from '@mantine/core'
import type { SegmentCount } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'
import { useCount } from './use-count.ts'

interface LiveCountProps {
  /** Null while the segment is incomplete. */
  body: object | null
  /** A description of the segment. */
  summary: string
}

/** Describes the segment, counts its current contacts, and shows a few of them. */
export function LiveCount({ body, summary }: LiveCountProps) {
  const { data, error, isBehind } = useCount(body)
  return (
    <div className="segment-beside">
      <Section title={texts.liveCount.summary}>
        <Text size="sm" className="foreign">
          {summary}
        </Text>
      </Section>
      <Section title={texts.liveCount.matchingContacts}>
        {body === null ? (
          <Text size="sm" c="dimmed" role="status">
            {texts.liveCount.completeAllConditionsSee}
          </Text>
        ) : (
          <>
            <ErrorNote error={error} />
            {error === null && data === undefined && <Skeleton height={90} aria-busy />}
            {error === null && data !== undefined && <Fitting count={data} isBehind={isBehind} />}
          </>
        )}
      </Section>
    </div>
  )
}

function Fitting({
  count: { count, is_exact, contacts },
  isBehind,
}: {
  count: SegmentCount
  isBehind: boolean
}) {
  const team = useTeam()
  return (
    <div style={{ opacity: isBehind ? 0.55 : 1 }}>
      <Text className="figure-value" role="status">
        {is_exact ? '' : texts.liveCount.about}
        {count.toLocaleString()} {texts.liveCount.contacts(count)}
      </Text>
      {contacts.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xxs">
            {contacts.length === count ? texts.liveCount.newestLabel : texts.liveCount.newestContacts}
          </Text>
          <ul className="fitting">
            {contacts.map((contact) => (
              <li key={contact.id}>
                <Anchor
                  component={Link}
                  to={`/${team.id}/contacts/${contact.id}`}
                  size="sm"
                  className="one-line"
                  c="inherit"
                >
                  <bdi>{contact.email}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed" className="one-line">
                  <bdi>{fullName(contact)}</bdi>
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
