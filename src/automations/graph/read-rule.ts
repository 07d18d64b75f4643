import { numberOf, spanOf } from './compare-values.ts'
import { FieldReader, itemsOf, recordOf, textProblem } from './field-reader.ts'
import type { Rule, Scalar } from './graph-types.ts'
import { type FieldRule, RULE_COUNT_MAX, RULE_DEPTH_MAX } from './rules.ts'
import { isPath, PATH_PROBLEM } from './run-scope.ts'

const TYPES = ['rule', 'and', 'or', 'not', 'segment'] as const
const OPERATOR_NAMES = [
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const),
  ...(['contains', 'starts_with', 'ends_with', 'exists', 'is_empty'] as const),
]
const VALUE_CHARS_MAX = 1000

/** What is left of the limits of one rule with all rules inside it. */
interface Budget {
  count: number
  refuse(says: string): void
}

/**
 * Reads a rule, in Resend's form or with the types `segment` and `not`. A text of a number becomes a number where only numbers and
 * dates can be compared. Undefined: the field is absent, or invalid and noted.
 */
export function readRule(fields: FieldReader, name: string): Rule | undefined {
  const reader = fields.object(name)
  if (reader === undefined) return undefined
  return readRuleOf(reader)
}

/** Reads the rule whose fields the reader has. */
export function readRuleOf(reader: FieldReader): Rule | undefined {
  const refuse = (says: string) => reader.problems.add(reader.path, says)
  return readNode(reader, { count: RULE_COUNT_MAX, refuse }, 1)
}

function readNode(reader: FieldReader, budget: Budget, depth: number): Rule | undefined {
  if (budget.count-- <= 0) {
    budget.refuse(`must not have more than ${RULE_COUNT_MAX} rules.`)
    return undefined
  }
  if (depth > RULE_DEPTH_MAX) {
    budget.refuse(`must not be nested more than ${RULE_DEPTH_MAX} deep.`)
    return undefined
  }
  if (reader.value('type') === undefined) reader.refuse('type', 'is required.')
  const type = reader.choice('type', TYPES)
  if (type === undefined) return undefined
  const rule = readOfType(type, reader, budget, depth)
  reader.rejectOthers()
  return rule
}

function readOfType(
  type: (typeof TYPES)[number],
  reader: FieldReader,
  budget: Budget,
  depth: number,
): Rule | undefined {
  switch (type) {
    case 'segment': {
      if (reader.value('segment_id') === undefined) reader.refuse('segment_id', 'is required.')
      const segmentId = reader.id('segment_id')
      return segmentId === undefined ? undefined : { type, segment_id: segmentId }
    }
    case 'not': {
      if (reader.value('rule') === undefined) reader.refuse('rule', 'is required.')
      const inner = reader.object('rule')
      const rule = inner && readNode(inner, budget, depth + 1)
      return rule && { type, rule }
    }
    case 'rule':
      return readFieldRule(reader)
    default: {
      const rules = readList(reader, budget, depth)
      return rules && { type, rules }
    }
  }
}

function readList(reader: FieldReader, budget: Budget, depth: number): Rule[] | undefined {
  const items = itemsOf(reader.value('rules'))
  if (items === null || items.length === 0) {
    reader.refuse('rules', 'must be a list of at least 1 rule.')
    return undefined
  }
  if (items.length > RULE_COUNT_MAX) {
    budget.refuse(`must not have more than ${RULE_COUNT_MAX} rules.`)
    return undefined
  }
  const rules = items.map((item, index) => {
    const path = `${reader.pathOf('rules')}.${index}`
    const record = recordOf(item)
    if (record === null) reader.problems.add(path, 'must be an object.')
    return record === null
      ? undefined
      : readNode(new FieldReader(record, path, reader.problems), budget, depth + 1)
  })
  const valid = rules.filter((rule) => rule !== undefined)
  return valid.length === rules.length ? valid : undefined
}

function readFieldRule(reader: FieldReader): FieldRule | undefined {
  for (const name of ['field', 'operator']) {
    if (reader.value(name) === undefined) reader.refuse(name, 'is required.')
  }
  const field = reader.parsed('field', (value) => (isPath(value) ? value : null), PATH_PROBLEM)
  const operator = reader.choice('operator', OPERATOR_NAMES)
  if (operator === undefined) {
    reader.raw('value')
    return undefined
  }
  if (operator === 'exists' || operator === 'is_empty') {
    return field === undefined ? undefined : { type: 'rule', field, operator }
  }
  const raw = reader.raw('value')
  if (raw === undefined) reader.refuse('value', 'is required.')
  const rule = raw === undefined ? undefined : readValue(operator, raw)
  if (typeof rule === 'string') reader.refuse('value', rule)
  return field === undefined || rule === undefined || typeof rule === 'string'
    ? undefined
    : ({ type: 'rule', field, ...rule } as FieldRule)
}

type ValueOperator = Exclude<(typeof OPERATOR_NAMES)[number], 'exists' | 'is_empty'>

/** Returns the operator with its value in canonical form, or why the value is invalid. */
function readValue(
  operator: ValueOperator,
  raw: unknown,
): { operator: ValueOperator; value: Scalar | null } | string {
  const problem = typeof raw === 'string' ? textProblem(raw, VALUE_CHARS_MAX) : null
  if (problem !== null) return problem
  switch (operator) {
    case 'eq':
    case 'neq':
      return raw === null || isScalar(raw)
        ? { operator, value: raw }
        : 'must be a string, a number, true, false or null.'
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return typeof raw === 'string' && raw !== ''
        ? { operator, value: raw }
        : 'must be a string of at least 1 character.'
    default: {
      const number = numberOf(raw)
      if (number !== null) return { operator, value: number }
      return typeof raw === 'string' && spanOf(raw) !== null
        ? { operator, value: raw.trim() }
        : 'must be a number or an ISO 8601 date.'
    }
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
