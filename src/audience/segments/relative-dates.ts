import { storedDurationMs } from '../../lib/time/durations.ts'
import { OPERATORS, type OperatorRule } from './segment-operators.ts'
import type { SegmentCondition, SegmentGroup } from './segments-queries.ts'

const relativeOf = ({ type, operator }: SegmentCondition) =>
  (OPERATORS[type][operator] as OperatorRule).relative

/** Returns whether contacts begin or cease to match by the passing of time alone. */
export function dependOnTime(groups: readonly SegmentGroup[]): boolean {
  return groups.some(({ conditions }) => conditions.some((one) => relativeOf(one) !== undefined))
}

/** Returns groups whose durations are replaced with the dates that they stand for at a moment. */
export function groupsAt(groups: readonly SegmentGroup[], now: Date): SegmentGroup[] {
  return groups.map((group) => ({ ...group, conditions: group.conditions.map((one) => atMoment(one, now)) }))
}

/** A span is two instants with a slash, as in ISO 8601; both ends are included. */
function atMoment(condition: SegmentCondition, now: Date): SegmentCondition {
  const relative = relativeOf(condition)
  if (relative === undefined) return condition
  const durationMs = storedDurationMs(String(condition.value))
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
  switch (relative) {
    case 'older':
      return { ...condition, operator: 'before', value: at(-durationMs) }
    case 'last':
      return { ...condition, operator: 'on', value: `${at(-durationMs)}/${at(0)}` }
    case 'next':
      return { ...condition, operator: 'on', value: `${at(1)}/${at(durationMs)}` }
  }
}
