import { describe, expect, test } from 'vitest'
import { describeRule } from './describe-rule.ts'
import { FieldReader } from './field-reader.ts'
import type { Rule, Scalar } from './graph-types.ts'
import { Problems } from './problems.ts'
import { readRule } from './read-rule.ts'
import { evaluateRule, segmentIdsOf } from './rules.ts'
import { isPath, lookUp, propertyOf, type RunScope } from './run-scope.ts'

const SEGMENT_ID = '0198c0de-0000-7000-8000-0000000000b1'

const SCOPE: RunScope = {
  event: {
    plan: 'Pro',
    amount: 12.5,
    count: '10',
    zero: 0,
    paid: true,
    none: null,
    empty: '',
    tags: ['A', 7],
    nothing: [],
    blank: {},
    at: '2026-03-01T10:00:00+01:00',
    day: '2026-03-01',
    items: [{ sku: 'x-1' }],
    length: 3,
  },
  contact: {
    email: 'ann@example.com',
    first_name: 'Ann',
    last_name: null,
    unsubscribed: false,
    user_id: '007',
    time_zone: 'Europe/Berlin',
    created_at: new Date('2026-01-15T10:30:00.000Z'),
    properties: { Plan: 'gold', score: 3, born: new Date('1990-05-17T00:00:00Z'), email: 'other' },
  },
  segments: new Set([SEGMENT_ID]),
}

const rule = (field: string, operator: string, value?: Scalar | null) =>
  ({ type: 'rule', field, operator, ...(value === undefined ? {} : { value }) }) as Rule
const holds = (...parts: Parameters<typeof rule>) => evaluateRule(rule(...parts), SCOPE)

describe('lookUp', () => {
  test.each([
    ['event.plan', 'Pro'],
    ['event.items.0.sku', 'x-1'],
    ['event.tags.1', 7],
    ['event.length', 3],
    ['contact.email', 'ann@example.com'],
    ['contact.plan', 'gold'],
    ['contact.properties.PLAN', 'gold'],
    ['contact.properties.email', 'other'],
  ])('%s is %j', (path, value) => {
    expect(isPath(path)).toBe(true)
    expect(lookUp(path, SCOPE)).toBe(value)
  })

  test.each([
    ...['event.missing', 'event.plan.0', 'event.plan.length', 'event.tags.length', 'event.tags.2'],
    ...['event.tags.00', 'event.tags.-1', 'event.items.sku', 'event.none.x', 'event.amount.toFixed'],
    ...['event.__proto__', 'event.constructor', 'event.constructor.name', 'event.tags.map'],
    ...['event.blank.hasOwnProperty', 'contact.constructor', 'contact.properties.toString', 'contact.other'],
    ...['contact.valueOf', 'contact.properties'],
  ])('%s is missing', (path) => {
    expect(isPath(path)).toBe(true)
    expect(lookUp(path, SCOPE)).toBeUndefined()
  })

  test('finds an own field of any name, as JSON.parse makes it', () => {
    const event = JSON.parse('{"__proto__":{"plan":"own"},"constructor":1}')
    expect(lookUp('event.__proto__.plan', { ...SCOPE, event })).toBe('own')
    expect(lookUp('event.constructor', { ...SCOPE, event })).toBe(1)
  })

  test.each([null, undefined, 'text', 5, []])('finds nothing in a payload that is %j', (event) => {
    expect(lookUp('event.plan', { ...SCOPE, event })).toBeUndefined()
    expect(lookUp('event.length', { ...SCOPE, event })).toBeUndefined()
  })
})

test.each([
  ...[
    '',
    'plan',
    'event',
    'event.',
    'event..a',
    '.event',
    'events.a',
    'contact',
    'contact.',
    'contact.a.b',
    'contact.0',
  ],
  ...[
    'contact.properties.',
    'contact.properties.a.b',
    'contact.__proto__',
    'contact.first name',
    'event.a\n',
  ],
  ...['event.\ud800', 'Event.plan', `event.${'a.'.repeat(9)}a`, `event.${'a'.repeat(300)}`],
  ...[null, undefined, 5, {}, ['event.plan']],
])('isPath rejects %j', (path) => {
  expect(isPath(path)).toBe(false)
})

test.each([
  ['contact.plan', 'plan'],
  ['contact.properties.plan', 'plan'],
  ['contact.properties.email', 'email'],
  ['contact.email', null],
  ['event.plan', null],
])('the property that %s names is %j', (path, key) => {
  expect(propertyOf(path)).toBe(key)
})

describe('evaluateRule', () => {
  test.each<[string, Scalar | null, boolean]>([
    ['event.plan', 'pro', true],
    ['event.plan', 'pr', false],
    ['event.amount', 12.5, true],
    ['event.amount', '12.50', true],
    ['event.count', 10, true],
    ['event.count', '10', true],
    ['event.count', '10.0', false],
    ['event.zero', 0, true],
    ['event.zero', false, false],
    ['event.zero', null, false],
    ['event.zero', '', false],
    ['event.empty', '', true],
    ['event.empty', null, false],
    ['event.empty', 0, false],
    ['event.paid', true, true],
    ['event.paid', 'TRUE', true],
    ['event.paid', 1, false],
    ['event.none', null, true],
    ['event.missing', null, true],
    ['event.missing', '', false],
    ['event.missing', 'undefined', false],
    ['event.none', 'null', false],
    ['event.tags', 'A', false],
    ['event.tags', 'a,7', false],
    ['event.blank', '[object Object]', false],
    ['event.at', '2026-03-01T09:00:00Z', true],
    ['event.at', '2026-03-01', true],
    ['event.day', '2026-03-01T00:00:00Z', true],
    ['event.day', '2026-03-02', false],
    ['contact.created_at', '2026-01-15', true],
    ['contact.created_at', '2026-01-15T10:30:00Z', true],
    ['contact.created_at', 1_768_473_000_000, false],
    ['contact.user_id', 7, true],
    ['contact.user_id', '7', false],
    ['contact.unsubscribed', false, true],
    ['contact.born', '1990-05-17', true],
    ['contact.last_name', null, true],
  ])('%s eq %j: %j, and neq the opposite', (field, value, expected) => {
    expect(holds(field, 'eq', value)).toBe(expected)
    expect(holds(field, 'neq', value)).toBe(!expected)
  })

  // The signs are lt, lte, gte, gt.
  test.each<[string, number | string, string]>([
    ['event.amount', 12, '   gte gt'],
    ['event.amount', 12.5, 'lte gte'],
    ['event.amount', 13, 'lt lte'],
    ['event.count', 9, 'gte gt'],
    ['event.zero', -1, 'gte gt'],
    ['event.plan', 1, ''],
    ['event.missing', 0, ''],
    ['event.none', 0, ''],
    ['event.paid', 0, ''],
    ['event.empty', 0, ''],
    ['event.tags', 0, ''],
    ['event.nothing', 0, ''],
    ['contact.created_at', '2026-01-14', 'gte gt'],
    ['contact.created_at', '2026-01-15', 'lte gte'],
    ['contact.created_at', '2026-01-16', 'lt lte'],
    ['contact.created_at', '2026-01-15T10:30:00.001Z', 'lt lte'],
    ['contact.created_at', 0, ''],
    ['event.at', '2026-03-01T09:00:00Z', 'lte gte'],
    ['event.amount', '2026-03-01', ''],
    ['contact.missing', '2026-03-01', ''],
  ])('%s with %j: %s', (field, value, expected) => {
    const held = ['lt', 'lte', 'gte', 'gt'].filter((operator) => holds(field, operator, value))
    expect(held.join(' ')).toBe(expected.trim())
  })

  test.each<[string, string, string, boolean]>([
    ['event.plan', 'contains', 'R', true],
    ['event.plan', 'starts_with', 'pr', true],
    ['event.plan', 'starts_with', 'ro', false],
    ['event.plan', 'ends_with', 'RO', true],
    ['event.amount', 'starts_with', '12', true],
    ['event.tags', 'contains', 'a', true],
    ['event.tags', 'contains', '7', true],
    ['event.tags', 'contains', 'b', false],
    ['event.tags', 'starts_with', 'a', false],
    ['event.missing', 'contains', 'undefined', false],
    ['event.none', 'contains', 'null', false],
    ['event.blank', 'contains', 'object', false],
    ['contact.created_at', 'starts_with', '2026-01', true],
  ])('%s %s %j: %j', (field, operator, value, expected) => {
    expect(holds(field, operator, value)).toBe(expected)
  })

  test.each<[string, boolean, boolean]>([
    ['event.plan', true, false],
    ['event.zero', true, false],
    ['event.empty', true, true],
    ['event.none', false, true],
    ['event.missing', false, true],
    ['event.nothing', true, true],
    ['event.blank', true, true],
    ['event.tags', true, false],
    ['contact.created_at', true, false],
    ['contact.last_name', false, true],
  ])('%s exists: %j, is_empty: %j', (field, exists, isEmpty) => {
    expect(holds(field, 'exists')).toBe(exists)
    expect(holds(field, 'is_empty')).toBe(isEmpty)
  })

  test('joins rules with and, or, not and segments', () => {
    const [yes, no] = [rule('event.plan', 'eq', 'Pro'), rule('event.plan', 'eq', 'Free')]
    const of = (each: Rule) => evaluateRule(each, SCOPE)
    expect(of({ type: 'and', rules: [yes, yes] })).toBe(true)
    expect(of({ type: 'and', rules: [yes, no] })).toBe(false)
    expect(of({ type: 'or', rules: [no, yes] })).toBe(true)
    expect(of({ type: 'or', rules: [no, no] })).toBe(false)
    expect(of({ type: 'not', rule: no })).toBe(true)
    expect(of({ type: 'segment', segment_id: SEGMENT_ID })).toBe(true)
    expect(of({ type: 'not', rule: { type: 'segment', segment_id: 'other' } })).toBe(true)
  })
})

const NESTED: Rule = {
  type: 'and',
  rules: [
    rule('event.plan', 'eq', 'Pro'),
    { type: 'or', rules: [rule('event.amount', 'gte', 10), { type: 'segment', segment_id: SEGMENT_ID }] },
    {
      type: 'not',
      rule: { type: 'or', rules: [rule('contact.x', 'exists'), rule('contact.y', 'is_empty')] },
    },
    { type: 'segment', segment_id: SEGMENT_ID },
  ],
}

test('segmentIdsOf returns each segment once', () => {
  expect(segmentIdsOf(NESTED)).toEqual([SEGMENT_ID])
  expect(segmentIdsOf(rule('event.plan', 'exists'))).toEqual([])
})

describe('describeRule', () => {
  test('puts a rule in words', () => {
    expect(describeRule(NESTED, new Map([[SEGMENT_ID, 'Buyers']]))).toBe(
      'event.plan is "Pro" and (event.amount is at least 10 or contact is in segment "Buyers") ' +
        'and not (contact.x exists or contact.y is empty) and contact is in segment "Buyers"',
    )
  })

  test.each<[string, Scalar | null | undefined, string]>([
    ['neq', 'a', 'event.x is not "a"'],
    ['eq', null, 'event.x has no value'],
    ['neq', null, 'event.x has a value'],
    ['eq', false, 'event.x is false'],
    ['lt', 5, 'event.x is less than 5'],
    ['gt', '2026-01-01', 'event.x is after 2026-01-01'],
    ['starts_with', 'a', 'event.x starts with "a"'],
    ['contains', 'a', 'event.x contains "a"'],
  ])('%s %j: %s', (operator, value, text) => {
    expect(describeRule(rule('event.x', operator, value))).toBe(text)
  })

  test('shortens long values and rules', () => {
    expect(describeRule(rule('event.x', 'eq', 'a'.repeat(500)))).toBe(`event.x is "${'a'.repeat(100)}..."`)
    const rules = Array(50).fill(rule('event.x', 'eq', 'a'.repeat(500)))
    expect(describeRule({ type: 'and', rules })).toHaveLength(1003)
  })
})

describe('readRule', () => {
  function read(value: unknown) {
    const problems = new Problems()
    const result = readRule(new FieldReader({ rule: value }, 'config', problems), 'rule')
    return { result, errors: problems.toErrors() }
  }

  test.each<[unknown, unknown]>([
    [NESTED, NESTED],
    [rule('event.plan', 'eq', null), rule('event.plan', 'eq', null)],
    [rule('event.plan', 'gt', '10'), rule('event.plan', 'gt', 10)],
    [rule('event.at', 'lt', ' 2026-01-01 '), rule('event.at', 'lt', '2026-01-01')],
    [{ ...rule('event.at', 'exists'), value: null }, rule('event.at', 'exists')],
    [
      { type: 'segment', segment_id: SEGMENT_ID.toUpperCase() },
      { type: 'segment', segment_id: SEGMENT_ID },
    ],
    [null, undefined],
  ])('accepts %j', (value, expected) => {
    expect(read(value)).toEqual({ result: expected, errors: {} })
  })

  let deep: unknown = rule('event.x', 'exists')
  for (let depth = 0; depth < 10_000; depth++) deep = { type: 'not', rule: deep }

  test.each<[unknown, string, string]>([
    ['x', '', 'must be an object.'],
    [{}, '.type', 'is required.'],
    [{ type: 'xor' }, '.type', 'must be one of rule, and, or, not, segment.'],
    [{ type: 'constructor' }, '.type', 'must be one of rule, and, or, not, segment.'],
    [{ type: 'and' }, '.rules', 'must be a list of at least 1 rule.'],
    [{ type: 'or', rules: [] }, '.rules', 'must be a list of at least 1 rule.'],
    [{ type: 'or', rules: ['x'] }, '.rules.0', 'must be an object.'],
    [{ type: 'or', rules: Array(1_000_000).fill(0) }, '', 'must not have more than 50 rules.'],
    [
      { type: 'or', rules: Array(50).fill(rule('event.x', 'exists')) },
      '',
      'must not have more than 50 rules.',
    ],
    [deep, '', 'must not be nested more than 10 deep.'],
    [{ type: 'not' }, '.rule', 'is required.'],
    [{ type: 'segment', segment_id: 'x' }, '.segment_id', 'must be a valid UUID.'],
    [{ type: 'segment' }, '.segment_id', 'is required.'],
    [{ type: 'rule', operator: 'exists' }, '.field', 'is required.'],
    [{ type: 'rule', field: 'event.x' }, '.operator', 'is required.'],
    [rule('event.x', 'eq'), '.value', 'is required.'],
    [rule('event.x', 'gt', null), '.value', 'must be a number or an ISO 8601 date.'],
    [rule('event.x', 'gt', 'soon'), '.value', 'must be a number or an ISO 8601 date.'],
    [rule('event.x', 'gt', true), '.value', 'must be a number or an ISO 8601 date.'],
    [rule('event.x', 'contains', 5), '.value', 'must be a string of at least 1 character.'],
    [rule('event.x', 'contains', ''), '.value', 'must be a string of at least 1 character.'],
    [{ ...rule('event.x', 'eq'), value: [] }, '.value', 'must be a string, a number, true, false or null.'],
    [rule('event.x', 'eq', 'a\u0000'), '.value', 'must not contain the character U+0000.'],
    [rule('event.x', 'eq', '\ud800'), '.value', 'must be valid Unicode text.'],
    [rule('event.x', 'eq', 'a'.repeat(1001)), '.value', 'must not be greater than 1000 characters.'],
    [{ ...rule('event.x', 'exists'), value: 1 }, '.value', 'is unknown.'],
    [{ ...rule('event.x', 'exists'), odd: 1 }, '.odd', 'is unknown.'],
    [{ type: 'not', rule: rule('event.x', 'is_empty'), rules: [] }, '.rules', 'is unknown.'],
  ])('rejects %#', (value, field, says) => {
    const { result, errors } = read(value)
    const path = `config.rule${field}`
    expect(errors).toEqual({ [path]: [`The ${path} field ${says}`] })
    if (says !== 'is unknown.') expect(result).toBeUndefined()
  })

  test('rejects a path outside the event and the contact', () => {
    expect(read(rule('plan', 'exists')).errors['config.rule.field']?.[0]).toMatch(
      /^The config\.rule\.field field must be a path/,
    )
  })
})
