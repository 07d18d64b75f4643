import { describe, expect, test } from 'vitest'
import {
  connect,
  DELAY_STEP,
  EMAIL_STEP,
  EXIT_STEP,
  GRAPH_ID,
  givenGraph,
  TRIGGER_STEP,
} from '../../../test/support/graphs.ts'
import { DEFAULT_SETTINGS } from './graph-types.ts'
import type { GraphRequest } from './read-graph.ts'

describe('a graph in the form of Resend', () => {
  test('is read as its SDK sends it, and completed', () => {
    const { graph, settings, errors } = givenGraph(
      {
        steps: [
          TRIGGER_STEP,
          { ...DELAY_STEP, config: { duration: '24 hours' } },
          {
            key: 'if',
            type: 'condition',
            config: { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
          },
          {
            key: 'mail',
            type: 'send_email',
            config: {
              template: {
                id: GRAPH_ID.toUpperCase(),
                variables: { NAME: { var: 'contact.first_name' }, n: 1 },
              },
              subject: 'Hi',
              from: 'Ann <ann@example.com>',
              reply_to: 'help@example.com',
              topic_id: null,
            },
          },
          { key: 'opened', type: 'wait_for_event', config: { event_name: 'email.opened', timeout: 'P3D' } },
          {
            key: 'set',
            type: 'contact_update',
            config: { first_name: null, properties: { plan: { var: 'event.plan' } } },
          },
          { key: 'segment', type: 'add_to_segment', config: { segment_id: GRAPH_ID } },
          { key: 'gone', type: 'contact_delete', config: {} },
        ],
        connections: [
          ...connect(
            'start wait',
            'wait if',
            'if mail condition_met',
            'if gone condition_not_met',
            'mail opened default',
          ),
          ...connect('opened set event_received', 'opened segment timeout'),
        ],
      },
      true,
    )
    expect(errors).toEqual({})
    expect(settings).toEqual(DEFAULT_SETTINGS)
    expect(graph.steps.map(({ config }) => config)).toEqual([
      { type: 'event', event_name: 'signed_up' },
      { duration: '1 day' },
      { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
      {
        template: { id: GRAPH_ID, variables: { NAME: { var: 'contact.first_name' }, n: 1 } },
        subject: 'Hi',
        from: 'Ann <ann@example.com>',
        reply_to: 'help@example.com',
      },
      { event_name: 'email.opened', timeout: '3 days' },
      { first_name: null, properties: { plan: { var: 'event.plan' } } },
      { segment_id: GRAPH_ID },
      {},
    ])
    expect(graph.connections[0]).toEqual({ from: 'start', to: 'wait', type: 'default' })
    // What was read stays what it is.
    expect(givenGraph({ ...graph }, true).graph).toEqual(graph)
  })

  test('may be empty or incomplete while it does not run', () => {
    const kinds = [
      'trigger',
      'send_email',
      'delay',
      'wait_until',
      'wait_for_event',
      'condition',
      'split',
      'random_split',
    ]
    const others = [
      'contact_update',
      'contact_delete',
      'add_to_list',
      'remove_from_list',
      'add_to_segment',
      'webhook',
    ]
    const steps = [...kinds, ...others, 'digest', 'goal', 'exit'].map((type) => ({ key: type, type }))
    const { graph, errors } = givenGraph({ steps })
    expect(errors).toEqual({})
    expect(graph.steps).toEqual(
      steps.map((step) => ({ ...step, config: step.type === 'goal' ? { otherwise: 'continue' } : {} })),
    )
    expect(givenGraph({ steps: null, connections: null, settings: null }).errors).toEqual({})
  })
})

describe('the form', () => {
  test.each<[GraphRequest, Record<string, unknown>]>([
    [{ steps: 'x' }, { steps: 'must be an array.' }],
    [{ steps: Array(151).fill(EXIT_STEP) }, { steps: 'must not have more than 150 items.' }],
    [{ steps: [EXIT_STEP, 5] }, { 'steps.1': 'must be an object.' }],
    [{ steps: [{ key: 'a' }] }, { 'steps.0.type': 'is required.' }],
    [{ steps: [{ type: 'exit', config: {} }] }, { 'steps.0.key': 'is required.' }],
    [
      { steps: [{ ...EXIT_STEP, key: 'a b' }] },
      { 'steps.0.key': 'must be 1 to 64 letters, digits, hyphens and underscores.' },
    ],
    [{ steps: [{ ...EXIT_STEP, key: 'a'.repeat(65) }] }, { 'steps.0.key': expect.any(String) }],
    [
      { steps: [{ ...EXIT_STEP, type: 'wait' }] },
      { 'steps.0.type': expect.stringMatching(/^must be one of trigger, send_email, /) },
    ],
    [{ steps: [{ ...EXIT_STEP, type: 'toString' }] }, { 'steps.0.type': expect.any(String) }],
    [{ steps: [{ ...EXIT_STEP, config: 'x' }] }, { 'steps.0.config': 'must be an object.' }],
    [{ steps: [{ ...EXIT_STEP, position: 1 }] }, { 'steps.0.position': 'is unknown.' }],
    [{ steps: [EXIT_STEP, EXIT_STEP] }, { 'steps.1.key': 'must be unique: steps.0 has it.' }],
    [
      { steps: [TRIGGER_STEP, { ...TRIGGER_STEP, key: 'b' }] },
      { 'steps.1.type': 'must not be trigger: steps.0 is the trigger.' },
    ],
    [
      { steps: [EXIT_STEP], trigger: { type: 'api' } },
      { trigger: expect.stringMatching(/^must not be given with keys/) },
    ],
    [
      {
        steps: [
          EMAIL_STEP,
          { key: 'w', type: 'wait_for_event', config: { event_name: 'a', email_step: 'mail' } },
        ],
      },
      {
        'steps.1.config.email_step':
          'requires event_name to be an event about an email, such as email.opened.',
      },
    ],
    [{ steps: [EXIT_STEP], connections: {} }, { connections: 'must be an array.' }],
    [
      { steps: [EXIT_STEP], connections: Array(1501).fill(0) },
      { connections: 'must not have more than 1500 items.' },
    ],
    [{ steps: [EXIT_STEP], connections: [0] }, { 'connections.0': 'must be an object.' }],
    [
      { steps: [EXIT_STEP], connections: [{}] },
      { 'connections.0.from': 'is required.', 'connections.0.to': 'is required.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('wait x') },
      { 'connections.0.to': 'must be the key of a step.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('constructor end') },
      { 'connections.0.from': 'must be the key of a step.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('wait end sometimes') },
      { 'connections.0.type': expect.stringMatching(/^must be one of default, condition_met, /) },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('wait end timeout') },
      { 'connections.0.type': 'must be one of default for a step of type delay.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('wait end', 'wait end default') },
      { 'connections.1.type': 'must differ from that of connections.0, which leaves the same step.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: connect('end wait') },
      { 'connections.0.from': 'must not be a step of type exit: the run ends there.' },
    ],
    [
      { steps: [TRIGGER_STEP, DELAY_STEP], connections: connect('wait start') },
      { 'connections.0.to': 'must not be the trigger.' },
    ],
    [
      { steps: [DELAY_STEP, EXIT_STEP], connections: [{ ...connect('wait end')[0], label: 'x' }] },
      { 'connections.0.label': 'is unknown.' },
    ],
  ])('rejects %#', (request, expected) => {
    expect(givenGraph(request).errors).toEqual(expected)
  })

  test.each([
    ['split', 2, ['branch_1', 'branch_2', 'default']],
    ['random_split', 2, ['branch_1', 'branch_2']],
  ])('a %s of %i branches has the connections %j', (type, count, expected) => {
    const steps = [{ key: 'a', type, config: { branches: Array(count).fill({}) } }, EXIT_STEP]
    const types = ['default', 'branch_1', 'branch_2', 'branch_3', 'branch_10', 'condition_met', 'timeout']
    const accepted = types.filter(
      (each) => Object.keys(givenGraph({ steps, connections: connect(`a end ${each}`) }).errors).length === 0,
    )
    expect(accepted.sort()).toEqual(expected.sort())
  })

  test('collects the problems of all parts at once, and at most 100', () => {
    const errors = givenGraph({
      steps: [
        { ...DELAY_STEP, config: { duration: 'x', odd: 1 } },
        { ...EXIT_STEP, config: { reason: 5 } },
      ],
      connections: connect('wait end timeout'),
      settings: { reentry: 'never' },
    }).errors
    expect(Object.keys(errors)).toEqual([
      'steps.0.config.duration',
      'steps.0.config.odd',
      'steps.1.config.reason',
      'connections.0.type',
      'settings.reentry',
    ])
    const odd = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`odd${at}`, 1]))
    expect(Object.keys(givenGraph({ steps: [{ ...EXIT_STEP, config: odd }] }).errors)).toHaveLength(100)
    const long = Object.keys(
      givenGraph({ steps: [{ ...EXIT_STEP, config: { ['a'.repeat(5000)]: 1 } }] }).errors,
    )[0]
    expect(long).toHaveLength(203)
  })

  test('limits the size of all steps', () => {
    const data = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`v${at}`, 'a'.repeat(10_000)]))
    const steps = Array.from({ length: 6 }, (_, at) => ({ key: `k${at}`, type: 'webhook', config: { data } }))
    expect(givenGraph({ steps: steps.slice(0, 4) }).errors).toEqual({})
    expect(givenGraph({ steps }).errors).toEqual({
      steps: 'must not be greater than 1000000 characters in all.',
    })
  })
})
