import { expect, test } from 'vitest'
import { changesOf } from './version-changes.ts'

const FIRST = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'api' } },
    { key: 'pause', type: 'delay', config: { duration: '3 days' } },
    {
      key: 'letter',
      type: 'send_email',
      config: { template: { id: '0198c0de-0000-7000-8000-0000000000a1', variables: { SEATS: 5 } } },
    },
  ],
  connections: [
    { from: 'start', to: 'pause', type: 'default' as const },
    { from: 'pause', to: 'letter', type: 'default' as const },
  ],
  settings: { reentry: 'once' as const, exits: [] },
}

test('versions that are the same have no differences', () => {
  expect(changesOf(FIRST, structuredClone(FIRST))).toEqual([])
})

test('differences name steps, fields with short values, connections and settings', () => {
  const second = {
    steps: [
      FIRST.steps[0] as (typeof FIRST.steps)[number],
      {
        key: 'letter',
        type: 'send_email',
        config: { template: { id: '0198c0de-0000-7000-8000-0000000000a2', variables: { SEATS: 6 } } },
      },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'order.paid' } },
    ],
    connections: [
      { from: 'start', to: 'letter', type: 'default' as const },
      { from: 'wait', to: 'letter', type: 'timeout' as const },
    ],
    settings: { reentry: 'every_time' as const, reentry_gap: '7 days', exits: [] },
  }
  expect(changesOf(FIRST, second)).toEqual([
    'Added: wait',
    'Removed: pause',
    'Changed: letter (template.id, template.variables.SEATS 5 → 6)',
    'Connected: start → letter',
    'Connected: wait → letter after the timeout',
    'Disconnected: start → pause',
    'Disconnected: pause → letter',
    'Settings changed (reentry once → every_time, reentry_gap none → 7 days)',
  ])
})

test('a step of another type is named by its type, and a trigger by the type in its config', () => {
  const second = {
    ...FIRST,
    steps: [
      { key: 'start', type: 'trigger', config: { type: 'contact_created' } },
      { key: 'pause', type: 'exit', config: { reason: 'Done' } },
      ...FIRST.steps.slice(2),
    ],
  }
  expect(changesOf(FIRST, second)).toEqual([
    'Changed: start (type api → contact_created)',
    'Changed: pause (type delay → exit)',
  ])
})

test('a connection to another step is one less and one more, in the words of its step', () => {
  const steps = [
    { key: 'hook', type: 'webhook', config: {} },
    { key: 'one', type: 'exit', config: {} },
    { key: 'other', type: 'exit', config: {} },
  ]
  const to = (key: string) => ({
    steps,
    connections: [{ from: 'hook', to: key, type: 'timeout' as const }],
    settings: FIRST.settings,
  })
  expect(changesOf(to('one'), to('other'))).toEqual([
    'Connected: hook → other without a response in time',
    'Disconnected: hook → one without a response in time',
  ])
})
