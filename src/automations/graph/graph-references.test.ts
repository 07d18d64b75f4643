import { expect, test } from 'vitest'
import { GRAPH_ID, givenGraph, TRIGGER_STEP } from '../../../test/support/graphs.ts'
import { graphReferences } from './graph-references.ts'

const id = (end: number) => `0198c0de-0000-7000-8000-${String(end).padStart(12, '0')}`

test('graphReferences returns every record with the path that names it', () => {
  const rule = {
    type: 'and',
    rules: [
      { type: 'segment', segment_id: id(1) },
      { type: 'rule', field: 'contact.plan', operator: 'exists' },
    ],
  }
  const { graph, settings, errors } = givenGraph({
    steps: [
      { key: 'a', type: 'trigger', config: { event_name: 'e', filter_rule: rule } },
      {
        key: 'b',
        type: 'send_email',
        config: {
          template: { id: id(2), variables: { x: { var: 'contact.x' }, y: { var: 'event.y' } } },
          sender_id: id(3),
        },
      },
      { key: 'c', type: 'send_email', config: { template: { id: 'welcome' } } },
      { key: 'd', type: 'split', config: { branches: [{}, { rule }] } },
      {
        key: 'e',
        type: 'contact_update',
        config: {
          first_name: { var: 'contact.nick' },
          last_name: { var: 'contact.first_name' },
          properties: { z: { var: 'contact.x' } },
        },
      },
      { key: 'f', type: 'webhook', config: { webhook_id: id(4), data: { v: { var: 'contact.v' } } } },
      { key: 'g', type: 'remove_from_list', config: { list_id: id(5) } },
      { key: 'h', type: 'add_to_segment', config: { segment_id: id(6) } },
      { key: 'i', type: 'goal', config: { rule } },
      { key: 'j', type: 'condition', config: { type: 'not', rule: { type: 'segment', segment_id: id(7) } } },
    ],
    settings: { exits: [{ rule: { type: 'segment', segment_id: id(8) } }] },
  })
  expect(errors).toEqual({})
  expect(
    graphReferences(graph, settings).map(({ kind, id: named, path }) => `${kind} ${named} ${path}`),
  ).toEqual([
    `segment ${id(1)} steps.0.config.filter_rule.rules.0.segment_id`,
    'property plan steps.0.config.filter_rule.rules.1.field',
    `template ${id(2)} steps.1.config.template.id`,
    'property x steps.1.config.template.variables.x.var',
    `sender ${id(3)} steps.1.config.sender_id`,
    'template_alias welcome steps.2.config.template.id',
    `segment ${id(1)} steps.3.config.branches.1.rule.rules.0.segment_id`,
    'property plan steps.3.config.branches.1.rule.rules.1.field',
    'property z steps.4.config.properties.z',
    'property x steps.4.config.properties.z.var',
    'property nick steps.4.config.first_name.var',
    `webhook ${id(4)} steps.5.config.webhook_id`,
    'property v steps.5.config.data.v.var',
    `list ${id(5)} steps.6.config.list_id`,
    `segment ${id(6)} steps.7.config.segment_id`,
    `segment ${id(1)} steps.8.config.rule.rules.0.segment_id`,
    'property plan steps.8.config.rule.rules.1.field',
    `segment ${id(7)} steps.9.config.rule.segment_id`,
    `segment ${id(8)} settings.exits.0.rule.segment_id`,
  ])
})

test.each<[unknown, string[]]>([
  [{ type: 'property_changed', property: 'plan' }, [`property plan`]],
  [{ type: 'property_changed', property: 'unsubscribed' }, []],
  [{ type: 'date', property: 'born' }, ['date_property born']],
  [{ type: 'segment_entered', segment_id: GRAPH_ID }, [`segment ${GRAPH_ID}`]],
  [
    { type: 'email_bounced', campaign_id: GRAPH_ID, template_id: id(1) },
    [`campaign ${GRAPH_ID}`, `template ${id(1)}`],
  ],
  [{ type: 'api' }, []],
])('graphReferences of the trigger %j', (config, expected) => {
  const { graph } = givenGraph({ steps: [{ ...TRIGGER_STEP, config }] })
  expect(graphReferences(graph).map((reference) => `${reference.kind} ${reference.id}`)).toEqual(expected)
})
