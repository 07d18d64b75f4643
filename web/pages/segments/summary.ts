import type { Property, Segment } from '../../api/records.ts'
import type { SegmentDraft } from './draft.ts'
import { FIELD_WORDS, operatorsOf, takesValue, typeOf } from './operators.ts'

/** The names behind the ids in conditions. */
export interface Names {
  properties: readonly Property[]
  /** By list id. */
  lists: ReadonlyMap<string, string>
}

type SegmentConditions = Pick<SegmentDraft, 'match_type'> & {
  groups: readonly {
    match_type: Segment['match_type']
    conditions: readonly Condition[]
  }[]
}
type Condition = Pick<
  SegmentDraft['groups'][number]['conditions'][number],
  'field' | 'operator' | 'property_id'
> & {
  value: string | number | boolean | null
}

const JOINS = { all: ' and ', any: ' or ' }

/** Describes a segment in a sentence: "Contacts whose plan is “pro” and who were added on or after 2026-01-01." */
export function summarize({ match_type, groups }: SegmentConditions, names: Names): string {
  const filled = groups.filter(({ conditions }) => conditions.length > 0)
  if (filled.length === 0) return 'No contacts: there are no conditions.'
  const parts = filled.map((group) => {
    const text = group.conditions.map((condition) => describe(condition, names)).join(JOINS[group.match_type])
    return filled.length > 1 && group.conditions.length > 1 ? `(${text})` : text
  })
  return `Contacts ${parts.join(JOINS[match_type])}.`
}

function describe(condition: Condition, names: Names): string {
  const { field, operator, value } = condition
  switch (field) {
    case 'unsubscribed':
      return (String(value) === 'true') === (operator === 'equals')
        ? 'who are unsubscribed'
        : 'who are subscribed'
    case 'list': {
      const name = names.lists.get(String(value)) ?? 'an unknown list'
      return operator === 'in' ? `who are in ${quote(name)}` : `who are not in ${quote(name)}`
    }
    case 'created_at':
      return `who were added ${describeComparison(condition, names).replace(/^(is|was) /, '')}`
    case 'property': {
      const key = names.properties.find(({ id }) => id === condition.property_id)?.key
      return `whose ${key ?? 'unknown property'} ${describeComparison(condition, names)}`
    }
    default:
      return `whose ${FIELD_WORDS[field].toLowerCase()} ${describeComparison(condition, names)}`
  }
}

function describeComparison(condition: Condition, { properties }: Names): string {
  const type = typeOf(condition, properties) ?? 'string'
  const words = operatorsOf(type)[condition.operator] ?? condition.operator
  if (!takesValue(condition.operator)) return words
  const value = condition.value === null || condition.value === '' ? '…' : String(condition.value)
  return `${words} ${type === 'string' ? quote(value) : value}`
}

const quote = (text: string) => `“${text}”`
