import { expect } from 'vitest'
import { inDays, UNKNOWN_ID } from '../known.ts'
import { FILTERS, unique } from '../resources.ts'
import {
  cases,
  checkAnswer,
  creates,
  mustBeString,
  proof,
  type Request,
  refuses,
  refusesField,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const RULE = { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' }
const CHAIN = {
  steps: [
    { key: 'start', type: 'trigger', config: { type: 'event', event_name: 'signed_up' } },
    { key: 'wait', type: 'delay', config: { duration: '3 days' } },
  ],
  connections: [{ from: 'start', to: 'wait', type: 'default' }],
}

interface Condition {
  field: string
  operator: string
  value?: unknown
  property_id?: string
}

const filtersOf = (match_type: string, conditions: readonly Condition[]) => ({
  groups: [{ match_type, conditions }],
})
const segment =
  (field: string) =>
  (value: unknown): Request => [
    'POST /segments',
    { name: unique('S'), match_type: 'all', filters: FILTERS, [field]: value },
  ]

/** Returns the contacts of `given` that are in a segment with these conditions. */
async function membersOf(scene: Scene, fields: Record<string, unknown>): Promise<string[]> {
  const { id } = await scene.made('segment', fields)
  const { status, json, text } = await scene.ask(`GET /segments/${id}/contacts?per_page=100`)
  expect(status, text).toBe(200)
  return json.data.map((contact: { id: string }) => contact.id)
}

const people = new WeakMap<Scene, ReturnType<typeof makePeople>>()
async function makePeople(scene: Scene) {
  const [list, property] = [await scene.made('list'), await scene.made('property')]
  const fields = { last_name: 'Lee', user_id: 'u-ann', unsubscribed: true }
  const properties = { [property.key]: 'gold' }
  const ann = await scene.made('contact', {
    email: 'ann@segment.test',
    first_name: 'Ann',
    list_ids: [list.id],
    properties,
    ...fields,
  })
  const bob = await scene.made('contact', { email: 'bob@segment.test', first_name: 'Bob' })
  return { ann: ann.id, bob: bob.id, list: list.id, property: property.id }
}
function given(scene: Scene) {
  const made = people.get(scene) ?? makePeople(scene)
  people.set(scene, made)
  return made
}

const CONDITIONS: readonly (readonly [string, (made: { list: string; property: string }) => Condition])[] = [
  ['email', () => ({ field: 'email', operator: 'equals', value: 'ann@segment.test' })],
  ['first_name', () => ({ field: 'first_name', operator: 'equals', value: 'Ann' })],
  ['last_name', () => ({ field: 'last_name', operator: 'equals', value: 'Lee' })],
  ['user_id', () => ({ field: 'user_id', operator: 'equals', value: 'u-ann' })],
  ['unsubscribed', () => ({ field: 'unsubscribed', operator: 'equals', value: true })],
  ['list', ({ list }) => ({ field: 'list', operator: 'equals', value: list })],
  [
    'property',
    ({ property }) => ({ field: 'property', property_id: property, operator: 'equals', value: 'gold' }),
  ],
]

const ANN = { field: 'email', operator: 'equals', value: 'ann@segment.test' }
const NOBODY = { field: 'first_name', operator: 'equals', value: 'Nobody' }
const conflict = (message: string) => ({
  status: 409,
  exactly: { statusCode: 409, name: 'conflict', message },
})

const campaign =
  (field: string) =>
  async (value: unknown, scene: Scene): Promise<Request> => {
    const [sender, list] = [await scene.made('sender'), await scene.made('list')]
    const ids = { sender_id: sender.id, list_id: list.id }
    return ['POST /campaigns', { name: 'C', subject: 'Hi', html: '<p>Hi</p>', ...ids, [field]: value }]
  }

export const segmentSections: readonly Section[] = [
  {
    heading: 'segments',
    rows: [
      ...cases('SEG-1', segment('name'), [
        ['no name', undefined, required('name')],
        ['a number as the name', 1, mustBeString('name')],
      ]),
      ...cases('SEG-1', segment('match_type'), [
        ['all', 'all', creates({ match_type: 'all' })],
        ['any', 'any', creates({ match_type: 'any' })],
        ['some', 'some', refusesField('match_type')],
      ]),
      ...cases('SEG-1', segment('filters'), [
        ['a text', 'x', refusesField('filters')],
        [
          'an unknown field',
          filtersOf('all', [{ ...ANN, field: 'shoe_size' }]),
          refusesField('filters.groups.0.conditions.0.field'),
        ],
        [
          'an unknown operator',
          filtersOf('all', [{ ...ANN, operator: 'frobs' }]),
          refusesField('filters.groups.0.conditions.0.operator'),
        ],
        ['another match_type', filtersOf('some', [ANN]), refusesField('filters.groups.0.match_type')],
        [
          'an unknown property',
          filtersOf('all', [{ field: 'property', property_id: UNKNOWN_ID, operator: 'equals', value: 'x' }]),
          refuses({ 'filters.groups.0.conditions.0.property_id': /./ }),
        ],
      ]),
      ...CONDITIONS.map(([name, make]) =>
        proof('SEG-1', name, async (scene) => {
          const made = await given(scene)
          const members = await membersOf(scene, { filters: filtersOf('all', [make(made)]) })
          expect([members.includes(made.ann), members.includes(made.bob)]).toEqual([true, false])
        }),
      ),
      ...['all', 'any'].map((match_type) =>
        proof('SEG-1', `${match_type} conditions of a group`, async (scene) => {
          const { ann } = await given(scene)
          const members = await membersOf(scene, { filters: filtersOf(match_type, [ANN, NOBODY]) })
          expect(members).toEqual(match_type === 'any' ? [ann] : [])
        }),
      ),
      ...['all', 'any'].map((match_type) =>
        proof('SEG-1', `${match_type} groups`, async (scene) => {
          const { ann } = await given(scene)
          const groups = [ANN, NOBODY].map((condition) => ({ match_type: 'all', conditions: [condition] }))
          const members = await membersOf(scene, { match_type, filters: { groups } })
          expect(members).toEqual(match_type === 'any' ? [ann] : [])
        }),
      ),
      proof('SEG-2', 'a contact comes and goes', async (scene) => {
        const first_name = unique('Live')
        const condition = { field: 'first_name', operator: 'equals', value: first_name }
        const { id } = await scene.made('segment', { filters: filtersOf('all', [condition]) })
        const members = async () => (await scene.ask(`GET /segments/${id}/contacts`)).json.data.length
        expect(await members()).toBe(0)
        const contact = await scene.made('contact', { first_name })
        expect(await members()).toBe(1)
        await scene.ask(`PUT /contacts/${contact.id}`, { first_name: 'Other' })
        expect(await members()).toBe(0)
      }),
    ],
  },
  {
    heading: 'segments: delete',
    rows: [
      proof('SEG-3', 'scheduled', async (scene) => {
        const { id } = await scene.made('segment')
        const fields = { segment_id: id, list_id: undefined, status: 'scheduled', scheduled_at: inDays(1) }
        const user = await scene.made('campaign', fields)
        const message = 'This segment is used by active campaigns and cannot be deleted.'
        await checkAnswer(await scene.ask(`DELETE /segments/${id}`), conflict(message), scene)
        expect((await scene.ask(`PUT /campaigns/${user.id}`, { status: 'canceled' })).json.status).toBe(
          'canceled',
        )
        expect((await scene.ask(`DELETE /segments/${id}`)).status).toBe(200)
      }),
      proof('SEG-3', 'a draft', async (scene) => {
        const { id } = await scene.made('segment')
        await scene.made('campaign', { segment_id: id, list_id: undefined })
        expect((await scene.ask(`DELETE /segments/${id}`)).status).toBe(200)
      }),
    ],
  },
  {
    heading: 'campaigns and automations',
    rows: [
      proof('SEG-3', 'active', async (scene) => {
        const [{ id }, template] = [await scene.made('segment'), await scene.made('template')]
        const user = await scene.made('automation', {
          status: 'active',
          trigger: { type: 'segment_entered', segment_id: id },
          steps: [{ type: 'send_email', template_id: template.id }],
        })
        const message = 'This segment is used by active automations and cannot be deleted.'
        await checkAnswer(await scene.ask(`DELETE /segments/${id}`), conflict(message), scene)
        await scene.ask(`PUT /automations/${user.id}`, { status: 'paused' })
        expect((await scene.ask(`DELETE /segments/${id}`)).status).toBe(200)
      }),
      ...cases('CAM-2', campaign('name'), [
        ['name', 'Spring', creates({ name: 'Spring', status: 'draft' })],
        ['no name', undefined, required('name')],
      ]),
      ...['sender_id', 'template_id', 'segment_id', 'list_id'].flatMap((field) =>
        cases('CAM-2', campaign(field), [[`an unknown ${field}`, UNKNOWN_ID, refusesField(field)]]),
      ),
      proof('CAM-2', 'a template', async (scene) => {
        const { id } = await scene.made('template')
        const made = await scene.made('campaign', { template_id: id, subject: undefined, html: undefined })
        expect(made.template_id).toBe(id)
      }),
      ...cases('CAM-2', campaign('status'), [
        ['draft', 'draft', creates({ status: 'draft' })],
        ['sending', 'sending', refusesField('status')],
        ['sent', 'sent', refusesField('status')],
        ['frob', 'frob', refusesField('status')],
      ]),
      proof('CAM-2', 'scheduled', async (scene) => {
        const made = await scene.made('campaign', { status: 'scheduled', scheduled_at: inDays(1) })
        expect(made.status).toBe('scheduled')
        expect((await scene.ask(`PUT /campaigns/${made.id}`, { status: 'draft' })).json.status).toBe('draft')
      }),
      ...cases('CAM-2', campaign('scheduled_at'), [
        ['the past', inDays(-1), refusesField('scheduled_at')],
        ['no time', 'x', refusesField('scheduled_at')],
      ]),
      ...cases('CAM-3', automation, [
        ['draft', { status: 'draft' }, creates({ status: 'draft' })],
        ['absent', {}, creates({ status: 'draft' })],
        ['frob', { status: 'frob' }, refusesField('status')],
        ['no name', { name: undefined }, required('name')],
        ['steps that are not an array', { steps: 'x' }, refusesField('steps')],
      ]),
      ...cases('AUT-1', automation, [
        ['keys and connections', CHAIN, creates({ ...CHAIN, status: 'draft', version: 0 })],
        ['active', { ...CHAIN, status: 'active' }, creates({ status: 'active', version: 1 })],
        ['enabled', { ...CHAIN, status: 'enabled' }, creates({ status: 'active' })],
        [
          'the flat form',
          { trigger: { type: 'contact_created' }, steps: [{ type: 'wait', seconds: 60 }] },
          creates({ trigger: { type: 'contact_created' } }),
        ],
        ['151 steps', { steps: Array(151).fill({ type: 'wait', seconds: 60 }) }, refusesField('steps')],
        [
          'an unknown key',
          { ...CHAIN, connections: [{ from: 'start', to: 'x' }] },
          refuses({ 'connections.0.to': /./ }),
        ],
        [
          'a cycle without a wait',
          {
            status: 'active',
            steps: [CHAIN.steps[0], { key: 'a', type: 'goal', config: { rule: RULE } }],
            connections: [
              { from: 'start', to: 'a' },
              { from: 'a', to: 'a' },
            ],
          },
          refuses({ 'connections.1': /cycle/ }),
        ],
        [
          'an unknown trigger',
          { steps: [{ ...CHAIN.steps[0], config: { type: 'frob' } }] },
          refuses({ 'steps.0.config.type': /./ }),
        ],
      ]),
      ...(['campaign', 'template', 'automation'] as const).map((kind) =>
        proof('SND-2', kind, async (scene) => {
          const { id } = await scene.made('sender')
          const steps = [{ type: 'send_email', sender_id: id }]
          const used = await scene.made(kind, kind === 'automation' ? { steps } : { sender_id: id })
          const refused = await scene.ask(`DELETE /senders/${id}`)
          expect([refused.status, refused.json.name]).toEqual([409, 'conflict'])
          expect((await scene.ask(`GET /senders/${id}`)).status).toBe(200)
          expect(used.id).toBeTypeOf('string')
        }),
      ),
    ],
  },
]

function automation(fields: Record<string, unknown>): Request {
  return ['POST /automations', { name: unique('A'), ...fields }]
}
