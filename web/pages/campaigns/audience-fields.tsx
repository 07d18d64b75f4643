import {
  Anchor,
  type ComboboxItem,
  type ComboboxItemGroup,
  MultiSelect,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { CampaignAudience, ContactList, Segment } from '../../api/records.ts'
import { useSettled } from '../../api/settled.ts'
import { useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { ContactExamples } from '../../ui/contact-examples.tsx'
import { Link } from '../../ui/link.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import { type AudienceDraft, audienceOf } from './audience-draft.ts'
import type { CampaignDraft } from './draft.ts'

/** The most that the API takes on each side. */
const ITEMS_MAX = 20

interface AudienceFieldsProps {
  form: UseFormReturnType<CampaignDraft>
  isFixed: boolean
}

/** Who gets the campaign: contacts of any of some lists and segments, without those of others. */
export function AudienceFields({ form, isFixed }: AudienceFieldsProps) {
  const lists = useAll<ContactList>('/lists').data
  const segments = useAll<Pick<Segment, 'id' | 'name'>>('/segments').data
  const { include, exclude } = form.values
  const isNothingToChoose =
    lists?.length === 0 && segments?.length === 0 && include.length + exclude.length === 0
  const choice = (side: 'include' | 'exclude', other: readonly string[]) => ({
    data: optionsOf({ lists, segments }, form.values[side], other),
    maxValues: ITEMS_MAX,
    searchable: true,
    hidePickedOptions: true,
    clearable: !isFixed,
    disabled: isFixed,
    nothingFoundMessage: 'No results.',
    ...form.getInputProps(side),
  })
  return (
    <Section title="Audience" description="Unsubscribed and suppressed contacts are skipped.">
      {isNothingToChoose && !isFixed ? (
        <NothingToChoose />
      ) : (
        <Stack gap="sm">
          <MultiSelect
            label="Send to"
            description="Contacts of any of these lists and segments. Each gets the campaign once."
            placeholder={include.length === 0 ? 'Choose lists and segments' : ''}
            {...choice('include', exclude)}
          />
          <MultiSelect
            label="Except"
            description="Contacts of any of these lists and segments don’t get it."
            placeholder={exclude.length === 0 ? 'Nobody' : ''}
            {...choice('exclude', include)}
          />
          {!isFixed && <AudienceCount include={include} exclude={exclude} />}
        </Stack>
      )}
    </Section>
  )
}

interface Choices {
  /** Undefined while they are loading. */
  lists: readonly Named[] | undefined
  segments: readonly Named[] | undefined
}

interface Named {
  id: string
  name: string
}

/** Returns the lists and segments to choose from, without those of the other side. */
function optionsOf(
  { lists, segments }: Choices,
  values: readonly string[],
  other: readonly string[],
): ComboboxItemGroup<ComboboxItem>[] {
  const kinds = [
    { kind: 'list', group: 'Lists', records: lists, unknown: 'Unknown list' },
    {
      kind: 'segment',
      group: 'Segments',
      records: segments,
      unknown: 'Unknown segment',
    },
  ]
  return kinds.map(({ kind, group, records, unknown }) => {
    const options = (records ?? []).map(({ id, name }) => ({ value: `${kind}:${id}`, label: name }))
    const known = new Set(options.map(({ value }) => value))
    // The campaign may name what was deleted.
    const others = values.filter((value) => value.startsWith(`${kind}:`) && !known.has(value))
    const label = records === undefined ? '…' : unknown
    const items = [...options, ...others.map((value) => ({ value, label }))]
    return { group, items: items.filter(({ value }) => !other.includes(value)) }
  })
}

function NothingToChoose() {
  const team = useTeam()
  return (
    <Text size="sm">
      Your team has no lists or segments yet.{' '}
      <Anchor component={Link} to={`/${team.id}/lists`} search={{ new: 'true' } as never} inherit>
        Create list
      </Anchor>
      {' · '}
      <Anchor component={Link} to={`/${team.id}/segments/new`} inherit>
        Create segment
      </Anchor>
    </Text>
  )
}

/** Counts who would get the campaign while its audience is edited, and shows a few of them. */
function AudienceCount({ include, exclude }: AudienceDraft) {
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
  return <Counted audience={data} isBehind={isBehind} />
}

function Counted({ audience, isBehind }: { audience: CampaignAudience; isBehind: boolean }) {
  const { count, unsubscribed, suppressed, is_estimated: isEstimated, contacts } = audience
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
