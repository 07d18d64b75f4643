import { describe, expect, test } from 'vitest'
import {
  connect,
  DELAY_STEP,
  EXIT_STEP,
  GRAPH_ID,
  givenGraph,
  TRIGGER_STEP,
} from '../../../test/support/graphs.ts'
import { graphReferences } from './graph-references.ts'
import { DEFAULT_SETTINGS, type DraftGraph } from './graph-types.ts'
import type { GraphRequest } from './read-graph.ts'

const id = (end: number) => `0198c0de-0000-7000-8000-${String(end).padStart(12, '0')}`

describe('the flat form', () => {
  const WAIT = { type: 'wait', seconds: 3600 }

  test('is stored as a chain, without fields of other types', () => {
    const { graph, errors } = givenGraph(
      {
        trigger: { type: 'segment_entered', segment_id: GRAPH_ID.toUpperCase(), list_id: GRAPH_ID, odd: 1 },
        steps: [
          { type: 'send_email', template_id: id(1), sender_id: id(2), subject: 'Hi', seconds: 5 },
          WAIT,
          { type: 'condition', segment_id: GRAPH_ID },
          { type: 'update_contact', unsubscribed: false, odd: {} },
          { type: 'add_to_list', list_id: id(3) },
          { type: 'remove_from_list', list_id: id(3) },
        ],
      },
      true,
    )
    expect(errors).toEqual({})
    expect(graph).toEqual({
      steps: [
        { key: 'trigger', type: 'trigger', config: { type: 'segment_entered', segment_id: GRAPH_ID } },
        {
          key: 'step_1',
          type: 'send_email',
          config: { template: { id: id(1) }, sender_id: id(2), subject: 'Hi' },
        },
        { key: 'step_2', type: 'delay', config: { duration: '1 hour' } },
        { key: 'step_3', type: 'condition', config: { type: 'segment', segment_id: GRAPH_ID } },
        { key: 'step_4', type: 'contact_update', config: { unsubscribed: false } },
        { key: 'step_5', type: 'add_to_list', config: { list_id: id(3) } },
        { key: 'step_6', type: 'remove_from_list', config: { list_id: id(3) } },
      ],
      connections: [
        { from: 'trigger', to: 'step_1', type: 'default' },
        { from: 'step_1', to: 'step_2', type: 'default' },
        { from: 'step_2', to: 'step_3', type: 'default' },
        { from: 'step_3', to: 'step_4', type: 'condition_met' },
        { from: 'step_4', to: 'step_5', type: 'default' },
        { from: 'step_5', to: 'step_6', type: 'default' },
      ],
    })
  })

  test.each<[GraphRequest, boolean, Record<string, unknown>]>([
    [{ steps: [{}] }, false, { 'steps.0.type': 'is required.' }],
    [
      { steps: [{ type: 'delay' }] },
      false,
      { 'steps.0.type': expect.stringMatching(/^must be one of send_email, wait, /) },
    ],
    [{ steps: [WAIT, { type: 'wait', seconds: 0 }] }, false, { 'steps.1.seconds': expect.any(String) }],
    [{ steps: Array(150).fill(WAIT) }, false, { steps: 'must not have more than 149 items.' }],
    [
      { steps: [{ type: 'add_to_list', list_id: 'x' }] },
      false,
      { 'steps.0.list_id': 'must be a valid UUID.' },
    ],
    [
      { steps: [{ type: 'update_contact', unsubscribed: 1 }] },
      false,
      { 'steps.0.unsubscribed': 'must be true or false.' },
    ],
    [{ trigger: 'x' }, false, { trigger: 'must be an object.' }],
    [{ trigger: {} }, false, { 'trigger.type': 'is required.' }],
    [
      { trigger: { type: 'list_joined', list_id: 'x' } },
      false,
      { 'trigger.list_id': 'must be a valid UUID.' },
    ],
    [{ steps: [WAIT] }, true, { trigger: 'is required.' }],
    [{ trigger: { type: 'contact_created' } }, true, { steps: 'must have at least 1 item.' }],
    [{ trigger: { type: 'list_joined' }, steps: [WAIT] }, true, { 'trigger.list_id': 'is required.' }],
    [
      {
        trigger: { type: 'contact_created' },
        steps: ['send_email', 'wait', 'condition', 'add_to_list', 'update_contact'].map((type) => ({ type })),
      },
      true,
      {
        'steps.0.template_id': 'is required.',
        'steps.1.seconds': 'is required.',
        'steps.2.segment_id': 'is required.',
        'steps.3.list_id': 'is required.',
        'steps.4': 'must set a field of the contact.',
      },
    ],
    [
      { steps: [WAIT], connections: [] },
      false,
      { 'steps.0.key': 'is required.', 'steps.0.type': expect.any(String), 'steps.0.seconds': 'is unknown.' },
    ],
  ])('rejects %#', (request, isActive, expected) => {
    expect(givenGraph(request, isActive).errors).toEqual(expected)
  })

  test('has paths of its own for references', () => {
    const request = {
      trigger: { type: 'list_left', list_id: GRAPH_ID },
      steps: [WAIT, { type: 'send_email', template_id: GRAPH_ID }],
    }
    const { graph, shownPath } = givenGraph(request)
    expect(graphReferences(graph).map(({ path }) => shownPath(path))).toEqual([
      'trigger.list_id',
      'steps.1.template_id',
    ])
    const { graph: untriggered, shownPath: shown } = givenGraph({ steps: request.steps })
    expect(graphReferences(untriggered).map(({ path }) => shown(path))).toEqual(['steps.1.template_id'])
  })
})

describe('a change', () => {
  const { graph: chain } = givenGraph({ trigger: { type: 'api' }, steps: [{ type: 'wait', seconds: 60 }] })
  const { graph } = givenGraph({
    steps: [EXIT_STEP, TRIGGER_STEP, DELAY_STEP],
    connections: connect('start wait', 'wait end'),
  })
  const change = (request: GraphRequest, to: DraftGraph = graph, isActive = false) =>
    givenGraph(request, isActive, { graph: to, settings: { ...DEFAULT_SETTINGS, resume_rate: 5 } })

  test('without fields keeps everything, and says what is missing once it becomes active', () => {
    expect(change({}, graph, true)).toMatchObject({ graph, settings: { resume_rate: 5 }, errors: {} })
    const { graph: draft } = givenGraph({
      steps: [TRIGGER_STEP, { ...DELAY_STEP, config: {} }],
      connections: connect('start wait'),
    })
    expect(change({}, draft, true).errors).toEqual({ 'steps.1.config.duration': 'is required.' })
  })

  test('replaces steps, connections and settings apart', () => {
    expect(change({ connections: connect('start end') }).graph).toEqual({
      steps: graph.steps,
      connections: [{ from: 'start', to: 'end', type: 'default' }],
    })
    expect(
      change({ steps: [TRIGGER_STEP, { ...DELAY_STEP, config: {} }, EXIT_STEP] }).graph.connections,
    ).toEqual(graph.connections)
    expect(change({ steps: [TRIGGER_STEP, DELAY_STEP] }).errors).toEqual({
      'connections.1.to': 'must be the key of a step.',
    })
    expect(change({ settings: { resume_rate: 7 } }).settings.resume_rate).toBe(7)
  })

  test('of flat steps keeps the trigger, and the other way round', () => {
    const steps = change({ steps: [{ type: 'wait', seconds: 5 }] }, chain).graph
    expect(steps.steps.map(({ key, config }) => [key, config])).toEqual([
      ['trigger', { type: 'api' }],
      ['step_1', { duration: '5 seconds' }],
    ])
    expect(steps.connections).toEqual(chain.connections)
    expect(change({ steps: [] }, chain).graph).toEqual({ steps: chain.steps.slice(0, 1), connections: [] })
    const triggered = change({ trigger: { type: 'contact_created' } })
    expect(triggered.errors).toEqual({})
    expect(triggered.graph.steps.map(({ key, type }) => `${key} ${type}`)).toEqual([
      'start trigger',
      'end exit',
      'wait delay',
    ])
    expect(triggered.graph.connections).toEqual(graph.connections)
  })

  test('removes a trigger, and adds one before the first step', () => {
    const { graph: without } = change({ trigger: null })
    expect(without).toEqual({
      steps: graph.steps.filter(({ type }) => type !== 'trigger'),
      connections: graph.connections.slice(1),
    })
    const { graph: again } = change({ trigger: { type: 'api' } }, without)
    expect(again.connections[0]).toEqual({ from: 'trigger', to: 'wait', type: 'default' })
    const named = givenGraph({ steps: [{ ...EXIT_STEP, key: 'trigger' }] }).graph
    expect(change({ trigger: { type: 'api' } }, named).graph.steps.map(({ key }) => key)).toEqual([
      'trigger_2',
      'trigger',
    ])
    expect(change({ trigger: null }, without).graph).toEqual(without)
  })

  test('does not add a trigger to 150 steps', () => {
    const many = givenGraph({
      steps: Array.from({ length: 150 }, (_, at) => ({ ...EXIT_STEP, key: `k${at}` })),
    }).graph
    expect(change({ trigger: { type: 'api' } }, many).errors).toEqual({
      trigger: 'must be null: an automation has at most 150 steps.',
    })
  })
})
