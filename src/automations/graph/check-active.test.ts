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

describe('an active graph', () => {
  const STEPS = [TRIGGER_STEP, EMAIL_STEP, DELAY_STEP, EXIT_STEP]
  const active = (steps: readonly unknown[], ...connections: string[]) =>
    givenGraph({ steps, connections: connect(...connections) }, true).errors

  test.each<[string, Record<string, string>, readonly unknown[], string[]]>([
    ['complete', {}, STEPS, ['start mail', 'mail wait', 'wait end']],
    ['without a step', { steps: 'must have a step of type trigger.' }, [], []],
    ['without a trigger', { steps: 'must have a step of type trigger.' }, [EMAIL_STEP], []],
    ['with a trigger only', { steps: 'must have a step besides the trigger.' }, [TRIGGER_STEP], []],
    [
      'with steps apart',
      { 'steps.2': 'cannot be reached from the trigger.', 'steps.3': 'cannot be reached from the trigger.' },
      STEPS,
      ['start mail', 'wait end'],
    ],
    [
      'with a trigger that leads nowhere',
      { connections: 'must lead from the trigger to a step.' },
      [TRIGGER_STEP, { key: 'goal', type: 'goal', config: { event_name: 'bought' } }, EMAIL_STEP],
      ['goal mail'],
    ],
    [
      'with a goal that only its event reaches',
      {},
      [TRIGGER_STEP, DELAY_STEP, { key: 'goal', type: 'goal', config: { event_name: 'bought' } }, EMAIL_STEP],
      ['start wait', 'goal mail'],
    ],
  ])('that is %s', (_, expected, steps, connections) => {
    expect(active(steps, ...connections)).toEqual(expected)
  })

  test.each<[string, unknown, string, string]>([
    ['send_email', {}, '.template.id', 'is required.'],
    ['delay', {}, '.duration', 'is required.'],
    ['wait_until', { time_zone: 'UTC' }, '', 'must have a time, weekdays or at.'],
    ['wait_for_event', { timeout: '1 day' }, '.event_name', 'is required.'],
    ['condition', {}, '.type', 'is required.'],
    ['split', {}, '.branches', 'must have at least 1 item.'],
    ['split', { branches: [{ name: 'A' }] }, '.branches.0.rule', 'is required.'],
    ['random_split', { branches: [{}] }, '.branches', 'must have at least 2 items.'],
    ['contact_update', {}, '', 'must set a field of the contact.'],
    ['add_to_list', {}, '.list_id', 'is required.'],
    ['remove_from_list', {}, '.list_id', 'is required.'],
    ['add_to_segment', {}, '.segment_id', 'is required.'],
    ['webhook', { data: {} }, '.webhook_id', 'is required.'],
    ['digest', {}, '.duration', 'is required.'],
    ['goal', {}, '', 'must have an event_name or a rule.'],
  ])('needs the fields of %s', (type, config, field, says) => {
    expect(active([TRIGGER_STEP, { key: 'a', type, config }], 'start a')).toEqual({
      [`steps.1.config${field}`]: says,
    })
  })

  test.each<[unknown, string]>([
    [{}, 'type'],
    [{ type: 'event' }, 'event_name'],
    [{ type: 'property_changed' }, 'property'],
    [{ type: 'list_joined' }, 'list_id'],
    [{ type: 'list_left' }, 'list_id'],
    [{ type: 'segment_entered' }, 'segment_id'],
    [{ type: 'date' }, 'property'],
  ])('needs the fields of the trigger %j', (config, field) => {
    expect(active([{ ...TRIGGER_STEP, config }, EXIT_STEP], 'start end')).toEqual({
      [`steps.0.config.${field}`]: 'is required.',
    })
  })

  test.each([
    [{ event_name: 'paid' }, true],
    [{ type: 'api' }, true],
    [{ type: 'contact_created' }, false],
    [{ type: 'email_opened' }, false],
  ])('sends transactional email after the trigger %j: %j', (config, isValid) => {
    const mail = { ...EMAIL_STEP, config: { ...EMAIL_STEP.config, class: 'transactional' } }
    expect(active([{ ...TRIGGER_STEP, config }, mail], 'start mail')).toEqual(
      isValid
        ? {}
        : { 'steps.1.config.class': 'must be bulk unless the trigger is an event of your own or the API.' },
    )
  })
})

describe('cycles', () => {
  const JUMP = { key: 'if', type: 'condition', config: { type: 'segment', segment_id: GRAPH_ID } }
  const cycle = (wait: unknown) =>
    givenGraph(
      {
        steps: [TRIGGER_STEP, EMAIL_STEP, { key: 'w', ...(wait as object) }, JUMP],
        connections: connect('start mail', 'mail w', 'w if', 'if mail condition_met'),
      },
      true,
    ).errors
  const FOUND = {
    'connections.3': 'closes a cycle without a wait of at least a minute: mail -> w -> if -> mail.',
  }

  test.each([
    [{ type: 'delay', config: { duration: '1 minute' } }, {}],
    [{ type: 'delay', config: { duration: '59 seconds' } }, FOUND],
    [{ type: 'digest', config: { duration: '1 minute' } }, {}],
    [{ type: 'wait_until', config: { time: '09:00' } }, {}],
    [{ type: 'wait_until', config: { weekdays: [1] } }, FOUND],
    [{ type: 'wait_until', config: { at: '2026-01-01T00:00:00Z' } }, FOUND],
    [{ type: 'webhook', config: { webhook_id: GRAPH_ID } }, FOUND],
    [{ type: 'goal', config: { event_name: 'a', otherwise: 'wait' } }, FOUND],
  ])('with %j', (wait, expected) => {
    expect(cycle(wait)).toEqual(expected)
  })

  test.each([
    // The event may come at once, so that only the way of the timeout counts.
    ['1 minute', 1],
    ['30 seconds', 2],
    [undefined, 2],
  ])('with a wait for an event and the timeout %j, %i connections close one', (timeout, count) => {
    const wait = { key: 'w', type: 'wait_for_event', config: { event_name: 'a', timeout } }
    const connections = connect('start w', 'w mail event_received', 'w w timeout', 'mail w')
    expect(
      Object.keys(givenGraph({ steps: [TRIGGER_STEP, EMAIL_STEP, wait], connections }, true).errors),
    ).toHaveLength(count)
  })

  test('a step that leads to itself', () => {
    const connections = connect('start mail', 'mail mail')
    expect(givenGraph({ steps: [TRIGGER_STEP, EMAIL_STEP], connections }, true).errors).toEqual({
      'connections.1': 'closes a cycle without a wait of at least a minute: mail -> mail.',
    })
  })

  test('two ways that meet again are no cycle', () => {
    const connections = connect('start if', 'if mail condition_met', 'if end condition_not_met', 'mail end')
    expect(
      givenGraph({ steps: [TRIGGER_STEP, JUMP, EMAIL_STEP, EXIT_STEP], connections }, true).errors,
    ).toEqual({})
  })

  // Following each way through them would take for ever.
  test('150 steps with 1,436 connections are followed once each, and a long cycle is shortened', () => {
    const branches = Array(9).fill({ rule: { type: 'segment', segment_id: GRAPH_ID } })
    const split = (at: number) => ({ key: `s${at}`, type: 'split', config: { branches } })
    const steps = [TRIGGER_STEP, ...Array.from({ length: 149 }, (_, at) => split(at))]
    const forward = steps
      .slice(1)
      .flatMap((_, at) =>
        ['default', ...branches.map((__, branch) => `branch_${branch + 1}`)].flatMap((type, ahead) =>
          at + ahead + 1 < 149 ? `s${at} s${at + ahead + 1} ${type}` : [],
        ),
      )
    expect(givenGraph({ steps, connections: connect('start s0', ...forward) }, true).errors).toEqual({})
    const closed = givenGraph({ steps, connections: connect('start s0', ...forward, 's148 s0') }, true).errors
    expect(Object.values(closed)[0]).toMatch(/: s0 -> s1 -> .* -> s9 -> \.\.\. -> s0\.$/)
  })
})
