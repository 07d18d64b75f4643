import { Skeleton, Text } from '@mantine/core'
import type { SegmentCount } from '../../api/records.ts'
import { useSettled } from '../../api/settled.ts'
import { ContactExamples } from '../../ui/contact-examples.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'

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
      <Section title="Summary">
        <Text size="sm" className="foreign">
          {summary}
        </Text>
      </Section>
      <Section title="Matching contacts">
        {body === null ? (
          <Text size="sm" c="dimmed" role="status">
            Complete all conditions to see the count.
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
        {is_exact ? '' : 'about '}
        {count.toLocaleString()} {plural(count, 'contact', 'contacts')}
      </Text>
      {contacts.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xxs">
            {contacts.length === count ? 'Contacts:' : 'Newest contacts:'}
          </Text>
          <ContactExamples contacts={contacts} />
        </>
      )}
    </div>
  )
}
