import { expect, test } from 'vitest'
import type { RunScope } from './run-scope.ts'
import { resolveValues } from './variables.ts'

const SCOPE: RunScope = {
  event: { plan: 'pro', none: null, items: [{ sku: 'x' }] },
  contact: {
    email: 'ann@example.com',
    first_name: 'Ann',
    last_name: null,
    unsubscribed: false,
    user_id: null,
    time_zone: null,
    created_at: new Date('2026-01-15T10:30:00Z'),
    properties: { score: 3, born: new Date('1990-05-17T00:00:00Z') },
  },
  segments: new Set(),
}

test('resolveValues looks up variables and keeps plain values', () => {
  const values = {
    text: 'event.plan',
    number: 0,
    flag: false,
    nothing: null,
    record: { var2: 'event.plan' },
    list: [1, { a: 'b' }],
    plan: { var: 'event.plan' },
    item: { var: 'event.items.0' },
    off: { var: 'contact.unsubscribed' },
    score: { var: 'contact.SCORE' },
    born: { var: 'contact.properties.born' },
    since: { var: 'contact.created_at' },
    none: { var: 'event.none' },
    last: { var: 'contact.last_name' },
  }
  expect(resolveValues(values, SCOPE)).toEqual({
    values: {
      ...{ text: 'event.plan', number: 0, flag: false, nothing: null, record: { var2: 'event.plan' } },
      ...{ list: [1, { a: 'b' }], plan: 'pro', item: { sku: 'x' }, off: false, score: 3 },
      ...{ born: '1990-05-17T00:00:00.000Z', since: '2026-01-15T10:30:00.000Z', none: null, last: null },
    },
    missing: [],
  })
})

test('resolveValues names the variables without a value', () => {
  const values = {
    a: { var: 'event.other' },
    b: { var: 'contact.other' },
    c: { var: 'event.constructor' },
    d: { var: 'event.plan' },
  }
  expect(resolveValues(values, SCOPE)).toEqual({
    values: { d: 'pro' },
    missing: [
      { name: 'a', path: 'event.other' },
      { name: 'b', path: 'contact.other' },
      { name: 'c', path: 'event.constructor' },
    ],
  })
})

test('resolveValues gives no key a special meaning', () => {
  const values = JSON.parse('{"__proto__":{"var":"event.plan"},"constructor":"x"}')
  const resolved = resolveValues(values, SCOPE).values
  expect(JSON.stringify(resolved)).toBe('{"__proto__":"pro","constructor":"x"}')
  expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype)
})
