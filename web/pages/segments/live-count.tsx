import { Skeleton, Text } from '@mantine/core'
import type { SegmentCount } from '../../api/records.ts'
import { useSettled } from '../../api/settled.ts'
import { ContactExamples } from '../../ui/contact-examples.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

interface LiveCountProps {
  /** Null while the segment is incomplete. */
  body: object | null
  /** A description of the segment. */
  summary: string
}

/** Describes the segment, counts its current contacts, and shows a few of them. */
export function LiveCount({ body, summary }: LiveCountProps) {
  const { data, error, isBehind } = useSettled<SegmentCount>('/segments/count', body)
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
          <ContactExamples contacts={contacts} />
        </>
      )}
    </div>
  )
}
