import type { SegmentField } from '../../../src/audience/segments/segment-operators.ts'
import type { Property, Segment } from '../../api/records.ts'
import { operatorsOf, takesDuration, takesValue, typeOf } from './operators.ts'

type Match = Segment['match_type']

export interface ConditionDraft {
  /** A React key, which the API does not have. */
  key: number
  field: SegmentField
  property_id: string | null
  operator: string
  /** As shown in the field. */
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

/** Returns the changed draft. */
export type DraftChange = (before: SegmentDraft) => SegmentDraft

export function nextKey({ groups }: SegmentDraft): number {
  return (
    1 + Math.max(0, ...groups.flatMap(({ key, conditions }) => [key, ...conditions.map((each) => each.key)]))
  )
}

/** Returns an empty condition. */
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

/** Changes the field of a condition. For another type, resets the value, and the operator if it no longer fits. */
export function withField(
  condition: ConditionDraft,
  field: Pick<ConditionDraft, 'field' | 'property_id'>,
  properties: readonly Property[],
): ConditionDraft {
  const [before, after] = [typeOf(condition, properties), typeOf(field, properties)]
  const next = { ...condition, ...field }
  if (before === after || after === null) return next
  const operators = Object.keys(operatorsOf(after))
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? '')
  return { ...next, operator, value: after === 'boolean' ? 'true' : '' }
}

/** Changes the operator of a condition. A date is no duration, so the value is reset between them. */
export function withOperator(condition: ConditionDraft, operator: string): ConditionDraft {
  const isSame = takesDuration(condition.operator) === takesDuration(operator)
  return { ...condition, operator, value: isSame ? condition.value : '' }
}

/** Returns whether every condition is complete. */
export function isComplete({ groups }: SegmentDraft, properties: readonly Property[]): boolean {
  return groups.every(({ conditions }) =>
    conditions.every(
      (condition) =>
        typeOf(condition, properties) !== null &&
        (!takesValue(condition.operator) || condition.value.trim() !== ''),
    ),
  )
}

/** Returns the filters for the API. */
export function filtersOf({ groups }: SegmentDraft, properties: readonly Property[]): object {
  return {
    groups: groups.map(({ match_type, conditions }) => ({
      match_type,
      conditions: conditions.map((condition) => {
        const { field, operator, property_id, value } = condition
        const isBoolean = typeOf(condition, properties) === 'boolean'
        const valueField = takesValue(operator) ? { value: isBoolean ? value === 'true' : value } : {}
        return { field, operator, ...(field === 'property' ? { property_id } : {}), ...valueField }
      }),
    })),
  }
}

/** Returns a change of one group or condition. A result of null removes it. */
export function changeGroup(key: number, change: (group: GroupDraft) => GroupDraft | null): DraftChange {
  return (draft) => ({
    ...draft,
    groups: draft.groups.flatMap((group) => (group.key === key ? (change(group) ?? []) : group)),
  })
}
