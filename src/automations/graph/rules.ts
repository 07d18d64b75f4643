import { compareWith, foldText, isSameValue, textOf } from './compare-values.ts'
import type { Rule } from './graph-types.ts'
import { lookUp, type RunScope } from './run-scope.ts'

/** Limits of one rule with all rules inside it. */
export const RULE_COUNT_MAX = 50
export const RULE_DEPTH_MAX = 10

/** A rule that compares a field. */
export type FieldRule = Extract<Rule, { type: 'rule' }>

/**
 * Returns whether a rule holds. A value that is missing or cannot be compared never makes a comparison hold; `neq` and `not`
 * hold where what they negate does not.
 *
 * - `eq`, `neq`: see isSameValue. `eq` null holds for a missing value.
 * - `gt`, `gte`, `lt`, `lte`: see compareWith.
 * - `contains`, `starts_with`, `ends_with`: texts, numbers and dates by their text, ignoring case. A list contains its items.
 * - `exists`: there is a value other than null. An empty text exists.
 * - `is_empty`: the value is missing, null, or a text, list or object without content.
 */
export function evaluateRule(rule: Rule, scope: RunScope): boolean {
  switch (rule.type) {
    case 'segment':
      return scope.segments.has(rule.segment_id)
    case 'not':
      return !evaluateRule(rule.rule, scope)
    case 'and':
      return rule.rules.every((each) => evaluateRule(each, scope))
    case 'or':
      return rule.rules.some((each) => evaluateRule(each, scope))
    case 'rule':
      return holds(rule, lookUp(rule.field, scope))
  }
}

function holds(rule: FieldRule, found: unknown): boolean {
  switch (rule.operator) {
    case 'eq':
      return isSameValue(found, rule.value)
    case 'neq':
      return !isSameValue(found, rule.value)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isInOrder(rule.operator, compareWith(found, rule.value))
    case 'exists':
      return found !== undefined && found !== null
    case 'is_empty':
      return isEmptyValue(found)
    default:
      return matchesText(rule.operator, found, rule.value)
  }
}

function isInOrder(operator: 'gt' | 'gte' | 'lt' | 'lte', order: number | null): boolean {
  if (order === null) return false
  if (order === 0) return operator === 'gte' || operator === 'lte'
  return order > 0 ? operator.startsWith('gt') : operator.startsWith('lt')
}

function matchesText(
  operator: 'contains' | 'starts_with' | 'ends_with',
  found: unknown,
  value: string,
): boolean {
  if (Array.isArray(found)) return operator === 'contains' && found.some((item) => isSameValue(item, value))
  const text = textOf(found)
  if (text === null) return false
  const [whole, part] = [foldText(text), foldText(value)]
  if (operator === 'contains') return whole.includes(part)
  return operator === 'starts_with' ? whole.startsWith(part) : whole.endsWith(part)
}

function isEmptyValue(found: unknown): boolean {
  if (found === undefined || found === null || found === '') return true
  if (typeof found !== 'object' || found instanceof Date) return false
  return Array.isArray(found) ? found.length === 0 : Object.keys(found).length === 0
}

/** Calls `visit` with a rule and each rule inside it, with their paths. */
export function visitRules(rule: Rule, path: string, visit: (rule: Rule, path: string) => void): void {
  visit(rule, path)
  if (rule.type === 'not') visitRules(rule.rule, `${path}.rule`, visit)
  if (rule.type !== 'and' && rule.type !== 'or') return
  for (const [index, each] of rule.rules.entries()) visitRules(each, `${path}.rules.${index}`, visit)
}

/** Returns the segments whose membership a rule asks for, each once. */
export function segmentIdsOf(rule: Rule): string[] {
  const ids = new Set<string>()
  visitRules(rule, '', (each) => {
    if (each.type === 'segment') ids.add(each.segment_id)
  })
  return [...ids]
}
