import type { SegmentField } from '../../../src/audience/segments/segment-operators.ts'
import type { Property, Segment } from '../../api/records.ts'
import { operatorsOf, takesValue, typeOf } from './operators.ts'

type Match = Segment['match_type']

export interface ConditionDraft {
  /** Of this page alone. */
  key: number
  field: SegmentField
  property_id: string | null
  operator: string
  /** As the field shows it. */
  value: string
}

export interface GroupDraft {
  key: number
  match_type: Match
  conditions: ConditionDraft[]
}

export interface SegmentDraft {
  name: string
  match_type: Match
  groups: GroupDraft[]
}

/** What is changed in a draft, and how. */
export type DraftChange = (before: SegmentDraft) => SegmentDraft

export function nextKey({ groups }: SegmentDraft): number {
  return (
    1 + Math.max(0, ...groups.flatMap(({ key, conditions }) => [key, ...conditions.map((each) => each.key)]))
  )
}

/** A condition that says nothing yet. */
export const newCondition = (key: number): ConditionDraft => ({
  key,
  field: 'email',
  property_id: null,
  operator: 'contains',
  value: '',
})

export const newGroup = (key: number): GroupDraft => ({
  key,
  match_type: 'all',
  conditions: [newCondition(key + 1)],
})

export const EMPTY: SegmentDraft = { name: '', match_type: 'all', groups: [newGroup(1)] }

export function draftOf({ name, match_type, filters }: Segment): SegmentDraft {
  let key = 0
  const groups = filters.groups.map((group) => ({
    key: ++key,
    match_type: group.match_type,
    conditions: group.conditions.map(({ field, property_id, operator, value }) => ({
      key: ++key,
      field,
      property_id,
      operator,
      value: value === null ? '' : String(value),
    })),
  }))
  return { name, match_type, groups: groups.length === 0 ? EMPTY.groups : groups }
}

/** The condition looks at something else: what does not fit that is begun anew. */
export function withField(
  condition: ConditionDraft,
  looked: Pick<ConditionDraft, 'field' | 'property_id'>,
  properties: readonly Property[],
): ConditionDraft {
  const [before, after] = [typeOf(condition, properties), typeOf(looked, properties)]
  const next = { ...condition, ...looked }
  if (before === after || after === null) return next
  const operators = Object.keys(operatorsOf(after))
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? '')
  return { ...next, operator, value: after === 'boolean' ? 'true' : '' }
}

/** Whether there is nothing left to fill in. */
export function isComplete({ groups }: SegmentDraft, properties: readonly Property[]): boolean {
  return groups.every(({ conditions }) =>
    conditions.every(
      (condition) =>
        typeOf(condition, properties) !== null &&
        (!takesValue(condition.operator) || condition.value.trim() !== ''),
    ),
  )
}

/** As the API takes it. */
export function filtersOf({ groups }: SegmentDraft, properties: readonly Property[]): object {
  return {
    groups: groups.map(({ match_type, conditions }) => ({
      match_type,
      conditions: conditions.map((condition) => {
        const { field, operator, property_id, value } = condition
        const isBoolean = typeOf(condition, properties) === 'boolean'
        const given = takesValue(operator) ? { value: isBoolean ? value === 'true' : value } : {}
        return { field, operator, ...(field === 'property' ? { property_id } : {}), ...given }
      }),
    })),
  }
}

/** The draft with one group, or one condition, as it is after the change; null takes it away. */
export function changeGroup(key: number, change: (group: GroupDraft) => GroupDraft | null): DraftChange {
  return (draft) => ({
    ...draft,
    groups: draft.groups.flatMap((group) => (group.key === key ? (change(group) ?? []) : group)),
  })
}
