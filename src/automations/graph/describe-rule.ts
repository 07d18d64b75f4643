import { cutText } from '../../lib/text/cut-text.ts'
import type { Rule } from './graph-types.ts'
import type { FieldRule } from './rules.ts'

const VALUE_CHARS_MAX = 100
const TEXT_CHARS_MAX = 1000

type Comparison = 'gt' | 'gte' | 'lt' | 'lte'
const OF_NUMBERS: Readonly<Record<Comparison, string>> = {
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
}
const OF_DATES: Readonly<Record<Comparison, string>> = {
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
}

/**
 * Returns a rule in words, for the trail of a run: `event.plan is "pro" and contact.country is not "DE"`.
 * @param segmentNames by id; a segment without a name is shown by its id
 */
export function describeRule(rule: Rule, segmentNames: ReadonlyMap<string, string> = new Map()): string {
  return shorten(describe(rule, segmentNames, false), TEXT_CHARS_MAX)
}

function describe(rule: Rule, names: ReadonlyMap<string, string>, isInside: boolean): string {
  switch (rule.type) {
    case 'segment':
      return `contact is in segment ${quote(names.get(rule.segment_id) ?? rule.segment_id)}`
    case 'not':
      return `not (${describe(rule.rule, names, false)})`
    case 'and':
    case 'or': {
      const text = rule.rules.map((each) => describe(each, names, true)).join(` ${rule.type} `)
      return isInside && rule.rules.length > 1 ? `(${text})` : text
    }
    case 'rule':
      return `${rule.field} ${describeTest(rule)}`
  }
}

function describeTest(rule: FieldRule): string {
  switch (rule.operator) {
    case 'exists':
      return 'exists'
    case 'is_empty':
      return 'is empty'
    case 'eq':
      return rule.value === null ? 'has no value' : `is ${quote(rule.value)}`
    case 'neq':
      return rule.value === null ? 'has a value' : `is not ${quote(rule.value)}`
    case 'contains':
      return `contains ${quote(rule.value)}`
    case 'starts_with':
    case 'ends_with':
      return `${rule.operator.replace('_', ' ')} ${quote(rule.value)}`
    default:
      return typeof rule.value === 'number'
        ? `${OF_NUMBERS[rule.operator]} ${rule.value}`
        : `${OF_DATES[rule.operator]} ${rule.value}`
  }
}

function quote(value: string | number | boolean): string {
  return typeof value === 'string' ? `"${shorten(value, VALUE_CHARS_MAX)}"` : String(value)
}

function shorten(text: string, charsMax: number): string {
  const cut = cutText(text, charsMax)
  return cut === text ? text : `${cut}...`
}
