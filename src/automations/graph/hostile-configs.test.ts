import { expect, test } from 'vitest'
import { givenGraph } from '../../../test/support/graphs.ts'
import { graphReferences } from './graph-references.ts'
import { STEP_PROSE, TRIGGER_PROSE } from './graph-schemas.ts'
import { STEP_KINDS } from './read-step-config.ts'
import { TRIGGER_KINDS } from './read-trigger.ts'

const ID = '0198c0de-0000-7000-8000-0000000000b1'
const RULE = { type: 'rule', field: 'event.a', operator: 'exists' }
const HOSTILE: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    ' ',
    'a',
    '1 day',
    '09:30',
    ID,
    '2026-01-01',
    '\u0000',
    '\ud800',
    '💥',
  ],
  ...[
    'a'.repeat(100_000),
    '1'.repeat(100_000),
    '{{a}}',
    'a\r\nb',
    'contact',
    '__proto__',
    'email.opened',
    'once',
  ],
  ...[[], [[]], [null], [0], [{}], [1, 2], Array(1000).fill(1)],
  ...[{}, { id: ID }, { var: 'event.a' }, { var: {} }, RULE, { type: 'not', rule: RULE }, [{ rule: RULE }]],
  ...[JSON.parse('{"__proto__":{"type":"rule"}}'), JSON.parse('{"constructor":{"prototype":1}}')],
  ...[{ type: 'and', rules: { length: 5 } }, { length: 1e9 }, Array(5).fill({ weight: 1 })],
]
const FIELDS = [
  ...new Set(
    `${Object.values(STEP_PROSE)} ${Object.values(TRIGGER_PROSE)} type value rules`.match(/[a-z_]+/g),
  ),
]

/** Reads a step. If it is accepted, its canonical form is accepted and stays the same, also after it was stored as JSON. */
function readTwice(step: object): void {
  const { graph, errors } = givenGraph({ steps: [{ key: 'a', ...step }] })
  graphReferences(graph)
  if (Object.keys(errors).length > 0) return
  const again = givenGraph({ steps: JSON.parse(JSON.stringify(graph.steps)) })
  expect(again.errors).toEqual({})
  expect(again.graph).toEqual(graph)
}

test.each(STEP_KINDS)('any value in any field of %s is read or rejected', (type) => {
  for (const config of HOSTILE) readTwice({ type, config })
  for (const field of FIELDS) {
    for (const value of HOSTILE) readTwice({ type, config: { [field]: value } })
  }
})

test.each(TRIGGER_KINDS)('any value in any field of the trigger %s is read or rejected', (type) => {
  for (const field of FIELDS) {
    for (const value of HOSTILE) readTwice({ type: 'trigger', config: { type, [field]: value } })
  }
})

test('any value in any part of a request is read or rejected', () => {
  for (const value of HOSTILE) {
    for (const name of ['steps', 'connections', 'settings', 'trigger']) {
      for (const isActive of [true, false]) {
        givenGraph({ [name]: value }, isActive)
        givenGraph({ [name]: [value] }, isActive)
        givenGraph({ steps: [{ type: 'wait' }], [name]: value }, isActive)
      }
    }
    for (const field of FIELDS) {
      givenGraph({ settings: { [field]: value, exits: [{ [field]: value }] } })
      givenGraph({
        trigger: { type: 'date', [field]: value },
        steps: [{ type: 'send_email', [field]: value }],
      })
      givenGraph({
        steps: [{ key: 'a', type: 'exit', [field]: value }],
        connections: [{ from: 'a', [field]: value }],
      })
    }
  }
})
