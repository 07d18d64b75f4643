import { Anchor, type ComboboxItem, type ComboboxItemGroup, MultiSelect, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ContactList, Segment } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page/section.tsx'
import { AudienceCount } from './audience-count.tsx'
import type { CampaignDraft } from './draft.ts'
import { texts } from './texts.ts'

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
    nothingFoundMessage: texts.audience.noResults,
    ...form.getInputProps(side),
  })
  return (
    <Section title={texts.form.recipients} description={texts.form.unsubscribedSuppressed}>
      {isNothingToChoose && !isFixed ? (
        <NothingToChoose />
      ) : (
        <Stack gap="sm">
          <MultiSelect
            label={texts.audience.include}
            description={texts.audience.includeNote}
            placeholder={include.length === 0 ? texts.audience.choose : ''}
            {...choice('include', exclude)}
          />
          <MultiSelect
            label={texts.audience.exclude}
            description={texts.audience.excludeNote}
            placeholder={exclude.length === 0 ? texts.audience.nobody : ''}
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
  chosen: readonly string[],
  other: readonly string[],
): ComboboxItemGroup<ComboboxItem>[] {
  const kinds = [
    { kind: 'list', group: texts.audience.lists, records: lists, unknown: texts.audience.unknownList },
    {
      ...{ kind: 'segment', group: texts.audience.segments },
      ...{ records: segments, unknown: texts.audience.unknownSegment },
    },
  ]
  return kinds.map(({ kind, group, records, unknown }) => {
    const offered = (records ?? []).map(({ id, name }) => ({ value: `${kind}:${id}`, label: name }))
    const known = new Set(offered.map(({ value }) => value))
    // The campaign may name what was deleted.
    const others = chosen.filter((value) => value.startsWith(`${kind}:`) && !known.has(value))
    const label = records === undefined ? texts.audience.loading : unknown
    const items = [...offered, ...others.map((value) => ({ value, label }))]
    return { group, items: items.filter(({ value }) => !other.includes(value)) }
  })
}

function NothingToChoose() {
  const team = useTeam()
  return (
    <Text size="sm">
      {texts.audience.nothingYet}{' '}
      <Anchor component={Link} to={`/${team.id}/lists`} search={{ new: 'true' } as never} inherit>
        {texts.audience.createAList}
      </Anchor>
      {' · '}
      <Anchor component={Link} to={`/${team.id}/segments/new`} inherit>
        {texts.audience.createASegment}
      </Anchor>
    </Text>
  )
}
