import { describe, expect, test } from 'vitest'
import { EMAIL_STEP, GRAPH_ID, givenGraph } from '../../../test/support/graphs.ts'

describe('configs', () => {
  const rule = { type: 'rule', field: 'event.n', operator: 'gt', value: 5 }

  test.each<[string, unknown, unknown]>([
    ['trigger', { type: 'contact_created' }, { type: 'contact_created' }],
    ['trigger', { type: 'contact_updated', list_id: null }, { type: 'contact_updated' }],
    [
      'trigger',
      { type: 'property_changed', property: 'Plan', from: 'a', to: false },
      { type: 'property_changed', property: 'Plan', from: 'a', to: false },
    ],
    [
      'trigger',
      { type: 'list_left', list_id: GRAPH_ID.toUpperCase() },
      { type: 'list_left', list_id: GRAPH_ID },
    ],
    [
      'trigger',
      { event_name: 'a', filter_rule: rule },
      { type: 'event', event_name: 'a', filter_rule: rule },
    ],
    [
      'trigger',
      { type: 'email_clicked', campaign_id: GRAPH_ID, tag: { name: 'kind' }, link: 'https://a.example/' },
      { type: 'email_clicked', campaign_id: GRAPH_ID, tag: { name: 'kind' }, link: 'https://a.example/' },
    ],
    [
      'trigger',
      {
        type: 'date',
        property: 'born',
        offset: '-72 hours',
        repeat: 'yearly',
        time: '9:00',
        time_zone: 'europe/berlin',
      },
      {
        type: 'date',
        property: 'born',
        offset: '-3 days',
        repeat: 'yearly',
        time: '09:00',
        time_zone: 'Europe/Berlin',
      },
    ],
    [
      'trigger',
      { type: 'date', property: 'born', offset: 0 },
      { type: 'date', property: 'born', repeat: 'once' },
    ],
    ['trigger', { type: 'api' }, { type: 'api' }],
    [
      'send_email',
      { template: { id: 'welcome' }, sender_id: GRAPH_ID, class: 'bulk' },
      { template: { id: 'welcome' }, sender_id: GRAPH_ID, class: 'bulk' },
    ],
    ['delay', { duration: 90 }, { duration: '90 seconds' }],
    ['wait_until', { weekdays: [7, 1], time_zone: 'contact' }, { weekdays: [1, 7], time_zone: 'contact' }],
    ['wait_until', { at: '2026-03-01T10:00:00+01:00' }, { at: '2026-03-01T09:00:00.000Z' }],
    ['wait_for_event', { event_name: 'contact.updated' }, { event_name: 'contact.updated' }],
    ['split', { branches: [{ name: 'A', rule }, {}] }, { branches: [{ name: 'A', rule }, {}] }],
    [
      'random_split',
      { branches: [{ weight: 3 }, { name: 'B' }] },
      { branches: [{ weight: 3 }, { name: 'B', weight: 1 }] },
    ],
    [
      'contact_update',
      { first_name: '', unsubscribed: { var: 'event.off' } },
      { first_name: null, unsubscribed: { var: 'event.off' } },
    ],
    ['contact_update', { properties: [] }, { properties: {} }],
    [
      'webhook',
      { webhook_id: GRAPH_ID, data: { a: [1, { b: true }], c: { d: 'e' } } },
      { webhook_id: GRAPH_ID, data: { a: [1, { b: true }], c: { d: 'e' } } },
    ],
    ['digest', { duration: 'PT15M' }, { duration: '15 minutes' }],
    ['goal', { event_name: 'bought' }, { event_name: 'bought', otherwise: 'continue' }],
    ['goal', { rule, otherwise: 'wait' }, { rule, otherwise: 'wait' }],
    ['exit', { reason: 'done' }, { reason: 'done' }],
  ])('%s %j', (type, config, expected) => {
    const { graph, errors } = givenGraph({ steps: [{ key: 'a', type, config }] })
    expect(errors).toEqual({})
    expect(graph.steps[0]?.config).toEqual(expected)
    expect(givenGraph({ steps: graph.steps }).graph).toEqual(graph)
  })

  const NOT_UUID = 'must be a valid UUID.'
  const TOPICS = 'is not supported: Sendwright has no topics yet.'
  const PATH =
    'must be a path in the event or the contact, such as event.plan, contact.first_name or contact.properties.plan.'

  test.each<[string, unknown, string, string]>([
    [
      'trigger',
      { type: 'topic_subscribed' },
      'type',
      expect.stringMatching(/^must be one of contact_created, /) as never,
    ],
    [
      'trigger',
      { type: 'constructor' },
      'type',
      expect.stringMatching(/^must be one of contact_created, /) as never,
    ],
    ['trigger', { type: 'contact_created', list_id: GRAPH_ID }, 'list_id', 'is unknown.'],
    ['trigger', { event_name: 'a', topic_id: GRAPH_ID }, 'topic_id', TOPICS],
    [
      'trigger',
      { event_name: 'a b' },
      'event_name',
      'must be 1 to 255 printable characters without white space.',
    ],
    ['trigger', { event_name: 'resend:x' }, 'event_name', 'must not start with resend:.'],
    [
      'trigger',
      { event_name: 'email.opened' },
      'event_name',
      'must not be the name of an event of Sendwright, such as email.opened.',
    ],
    [
      'trigger',
      { type: 'property_changed', property: '__proto__' },
      'property',
      'must be the key of a property.',
    ],
    [
      'trigger',
      { type: 'property_changed', property: 'a', from: {} },
      'from',
      'must be a string, a number, true or false.',
    ],
    ['trigger', { type: 'email_opened', link: 'x' }, 'link', 'is unknown.'],
    ['trigger', { type: 'email_opened', tag: {} }, 'tag.name', 'is required.'],
    ['trigger', { type: 'email_opened', tag: 'x' }, 'tag', 'must be an object.'],
    [
      'trigger',
      { type: 'date', property: 'a', offset: '1 month' },
      'offset',
      'must be a duration, such as 3 days or -1 week.',
    ],
    ['trigger', { type: 'date', property: 'a', offset: '-366 days' }, 'offset', 'must be at most 365 days.'],
    ['trigger', { type: 'date', property: 'a', repeat: 'daily' }, 'repeat', 'must be one of once, yearly.'],
    [
      'trigger',
      { type: 'date', property: 'a', time: '24:00' },
      'time',
      'must be a time of day, such as 09:30.',
    ],
    [
      'trigger',
      { type: 'date', property: 'a', time_zone: 'Mars/Base' },
      'time_zone',
      'must be contact or an IANA time zone, such as Europe/Berlin.',
    ],
    ['send_email', { topic_id: GRAPH_ID }, 'topic_id', TOPICS],
    ['send_email', { locale: 'de' }, 'locale', 'is unknown.'],
    ['send_email', { template: GRAPH_ID }, 'template', 'must be an object.'],
    ['send_email', { template: {} }, 'template.id', 'is required.'],
    ['send_email', { template: { id: GRAPH_ID, alias: 1 } }, 'template.alias', 'is unknown.'],
    [
      'send_email',
      { template: { id: GRAPH_ID, variables: { a: { var: 'plan' } } } },
      'template.variables.a',
      PATH,
    ],
    [
      'send_email',
      { template: { id: GRAPH_ID, variables: { a: { var: 'event.a', b: 1 } } } },
      'template.variables.a',
      'must have no other fields than var.',
    ],
    [
      'send_email',
      { template: { id: GRAPH_ID, variables: { a: [[1]] } } },
      'template.variables.a',
      'must be a string, a number, true or false.',
    ],
    [
      'send_email',
      { template: { id: GRAPH_ID, variables: { a: null } } },
      'template.variables.a',
      'must be a string, a number, true or false.',
    ],
    [
      'send_email',
      {
        template: {
          id: GRAPH_ID,
          variables: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`v${n}`, 1])),
        },
      },
      'template.variables',
      'must not have more than 200 entries.',
    ],
    [
      'send_email',
      { subject: 'a\r\nBcc: b@c.example' },
      'subject',
      'must not contain line breaks or control characters.',
    ],
    ['send_email', { subject: 'a\u0000' }, 'subject', 'must not contain the character U+0000.'],
    ['send_email', { from: 'nobody' }, 'from', 'must be a valid email address.'],
    ['send_email', { from: 'a@b.example', sender_id: GRAPH_ID }, 'sender_id', 'must not be given with from.'],
    ['send_email', { class: 'marketing' }, 'class', 'must be one of bulk, transactional.'],
    ['delay', { duration: 'soon' }, 'duration', 'must be a duration, such as 30 minutes or 3 days.'],
    ['delay', { duration: '366 days' }, 'duration', 'must be at most 365 days.'],
    [
      'wait_until',
      { weekdays: [0] },
      'weekdays',
      'must be a list of different days from 1, Monday, to 7, Sunday.',
    ],
    [
      'wait_until',
      { weekdays: [1, 1] },
      'weekdays',
      'must be a list of different days from 1, Monday, to 7, Sunday.',
    ],
    [
      'wait_until',
      { weekdays: [] },
      'weekdays',
      'must be a list of different days from 1, Monday, to 7, Sunday.',
    ],
    ['wait_until', { weekdays: [1, 2, 3, 4, 5, 6, 7, 1] }, 'weekdays', 'must not have more than 7 items.'],
    ['wait_until', { at: 'tomorrow' }, 'at', 'must be an ISO 8601 time.'],
    [
      'wait_for_event',
      { event_name: 'domain.verified' },
      'event_name',
      'must be an event about an email or a contact, or one of your own.',
    ],
    [
      'wait_for_event',
      { event_name: 'email.received' },
      'event_name',
      'must be an event about an email or a contact, or one of your own.',
    ],
    ['wait_for_event', { email_step: 'b' }, 'email_step', 'must be the key of a step of type send_email.'],
    ['wait_for_event', { event_name: 'a', filter_rule: {} }, 'filter_rule.type', 'is required.'],
    ['condition', { segment_id: GRAPH_ID }, 'type', 'is required.'],
    ['condition', { type: 'segment', segment_id: 'x' }, 'segment_id', NOT_UUID],
    ['split', { branches: Array(11).fill({}) }, 'branches', 'must not have more than 10 items.'],
    ['split', { branches: [{ weight: 1 }] }, 'branches.0.weight', 'is unknown.'],
    [
      'random_split',
      { branches: [{ weight: 0 }] },
      'branches.0.weight',
      'must be an integer from 1 to 1000.',
    ],
    ['random_split', { branches: ['a'] }, 'branches.0', 'must be an object.'],
    ['contact_update', { first_name: 5 }, 'first_name', 'must be a string, null or a variable.'],
    ['contact_update', { last_name: { var: 'constructor' } }, 'last_name', PATH],
    ['contact_update', { unsubscribed: 'yes' }, 'unsubscribed', 'must be true, false or a variable.'],
    ['contact_update', { properties: { 'a b': 1 } }, 'properties.a b', 'must be the key of a property.'],
    [
      'contact_update',
      { properties: { a: {} } },
      'properties.a',
      'must be a string, a number, true or false.',
    ],
    ['contact_update', { email: 'a@b.example' }, 'email', 'is unknown.'],
    ['add_to_list', { list_id: 'x' }, 'list_id', NOT_UUID],
    ['webhook', { url: 'https://a.example' }, 'url', 'is unknown.'],
    ['digest', { duration: '59 seconds' }, 'duration', 'must be at least 1 minute.'],
    ['digest', { duration: '31 days' }, 'duration', 'must be at most 30 days.'],
    ['goal', { filter_rule: rule }, 'filter_rule', 'requires event_name.'],
    [
      'goal',
      { event_name: 'a', rule },
      'rule',
      'must not be given with event_name. To restrict the event, use filter_rule.',
    ],
    ['goal', { event_name: 'a', otherwise: 'stop' }, 'otherwise', 'must be one of continue, wait, exit.'],
    ['exit', { reason: '' }, 'reason', 'must not be empty.'],
  ])('%s rejects %j', (type, config, field, says) => {
    expect(givenGraph({ steps: [{ key: 'a', type, config }] }).errors).toEqual({
      [`steps.0.config.${field}`]: says,
    })
  })

  test('does not let a name reach a prototype', () => {
    const variables = JSON.parse('{"__proto__":{"var":"event.a"},"constructor":1}')
    const { graph, errors } = givenGraph({
      steps: [{ ...EMAIL_STEP, config: { template: { id: GRAPH_ID, variables } } }],
    })
    expect(errors).toEqual({})
    expect(JSON.stringify(graph.steps[0]?.config)).toBe(
      `{"template":{"id":"${GRAPH_ID}","variables":{"__proto__":{"var":"event.a"},"constructor":1}}}`,
    )
    expect(
      givenGraph({ steps: [JSON.parse('{"__proto__":{"key":"a"},"type":"exit","config":{}}')] }).errors,
    ).toMatchObject({
      'steps.0.key': 'is required.',
    })
  })
})
