import { Skeleton, Text } from '@mantine/core'
import type { CampaignAudience } from '../../api/records.ts'
import { useSettled } from '../../api/settled.ts'
import { ContactExamples } from '../../ui/contact-examples.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { plural } from '../../ui/plural.ts'
import { type AudienceDraft, audienceOf } from './audience-draft.ts'

/** Counts who would get the campaign while its audience is edited, and shows a few of them. */
export function AudienceCount({ include, exclude }: AudienceDraft) {
  const body = include.length === 0 ? null : { audience: audienceOf({ include, exclude }) }
  const { data, error, isBehind, refetch } = useSettled<CampaignAudience>('/campaigns/audience', body)
  if (body === null) {
    return (
      <Text size="sm" c="dimmed" role="status">
        Choose a list or segment to see who gets it.
      </Text>
    )
  }
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={90} aria-busy />
  return <Counted counted={data} isBehind={isBehind} />
}

function Counted({ counted, isBehind }: { counted: CampaignAudience; isBehind: boolean }) {
  const { count, unsubscribed, suppressed, is_estimated: isEstimated, contacts } = counted
  return (
    <div style={{ opacity: isBehind ? 0.55 : 1 }}>
      <Text className="figure-value" role="status" aria-busy={isBehind}>
        {isEstimated ? 'About ' : ''}
        {count.toLocaleString()} {plural(count, 'contact gets', 'contacts get')} it
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {isEstimated && 'Estimated, because the audience is large. '}
        {unsubscribed + suppressed === 0
          ? 'None are unsubscribed or suppressed.'
          : `Skipped: ${unsubscribed.toLocaleString()} unsubscribed, ${suppressed.toLocaleString()} suppressed.`}
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
