import { expect } from 'vitest'
import { CHANGES, unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  CONFLICT,
  cases,
  checkAnswer,
  lengths,
  mustBeString,
  NOT_FOUND,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
  tooLong,
} from '../row.ts'

const withKey = (key: unknown): Request => ['POST /properties', { key, type: 'string' }]
const withType = (type: unknown): Request => ['POST /properties', { key: unique('typed'), type }]
const withFallback = (fallback_value: unknown): Request => [
  'POST /properties',
  { key: unique('fallback'), type: 'string', fallback_value },
]
const keyIs = (key: string) => ({ status: 201, json: { key } })
const fallbackIs = (fallback_value: unknown) => ({ status: 201, json: { fallback_value } })

export const propertySections: readonly Section[] = [
  {
    heading: 'properties: create',
    rows: [
      {
        requirement: 'PRO-1',
        asks: ['POST /properties', { key: 'first', type: 'string', fallback_value: 'x' }],
        answers: {
          status: 201,
          json: { id: aUuid, key: 'first', type: 'string', created_at: aTime, updated_at: aTime },
        },
      },
      ...cases('PRO-1', withKey, [
        ['absent', undefined, required('key')],
        ['null', null, refusesField('key')],
        ['empty', '', refusesField('key')],
        ['a number', 7, mustBeString('key')],
        ['an array', ['a'], mustBeString('key')],
      ]),
      ...cases('PRO-1', withKey, [
        ['255 characters', 'k'.repeat(255), 201],
        ['256 characters', 'k'.repeat(256), tooLong('key')],
      ]),
      {
        requirement: 'PRO-1',
        by: '422 for the second of a name',
        asks: async (scene) => withKey((await scene.made('property')).key),
        answers: refusesField('key'),
      },
      proof('PRO-1', '201 for the same name in another team', async (scene) => {
        const { key } = await scene.made('property')
        const other = await scene.fresh()
        expect((await other.ask(...withKey(key))).status).toBe(201)
      }),
      ...cases('PRO-2', withType, [
        ['absent', undefined, required('type')],
        ['null', null, refusesField('type')],
        ['a boolean', true, refusesField('type')],
      ]),
      ...cases('PRO-2', withType, [
        ['string', 'string', { status: 201, json: { type: 'string' } }],
        ['number', 'number', { status: 201, json: { type: 'number' } }],
        ['date', 'date', { status: 201, json: { type: 'date' } }],
        ['boolean', 'boolean', refusesField('type')],
        ['String', 'String', refusesField('type')],
      ]),
      ...cases('PRO-2', withFallback, [
        ['absent', undefined, fallbackIs(null)],
        ['null', null, fallbackIs(null)],
        ['a text', 'Berlin', fallbackIs('Berlin')],
        ['an array', [], mustBeString('fallback_value')],
        ['a number', 7, mustBeString('fallback_value')],
      ]),
      ...lengths('PRO-2', withFallback, {
        field: 'fallback_value',
        countMax: 1000,
        accepted: fallbackIs('😀'.repeat(1000)),
      }),
    ],
  },
  {
    heading: 'properties',
    rows: [
      ...cases('PRO-1', withKey, [
        ['one letter', 'a', keyIs('a')],
        ['letter and digit', 'Z9', keyIs('Z9')],
        ['with a low line', 'a_1_', keyIs('a_1_')],
        ['a low line first', '_a', refusesField('key')],
        ['a digit first', '1a', refusesField('key')],
        ['a hyphen', 'a-b', refusesField('key')],
        ['a space', 'a b', refusesField('key')],
        ['a dot', 'a.b', refusesField('key')],
        ['beyond ASCII', 'é', refusesField('key')],
        ['white space around it', '  trimmed \t', keyIs('trimmed')],
      ]),
      {
        requirement: 'PRO-1',
        asks: async (scene) => withKey((await scene.made('property')).key.toUpperCase()),
        answers: refusesField('key'),
      },
      proof('PRO-2', 'PUT', async ({ made, ask }) => {
        const { id } = await made('property')
        const reply = await ask(`PUT /properties/${id}`, { type: 'number', ...CHANGES.property })
        expect([200, 422]).toContain(reply.status)
        expect((await ask(`GET /properties/${id}`)).json.type).toBe('string')
      }),
      proof('PRO-3', 'GET of one and of all', async ({ made, ask }) => {
        const { id } = await made('property')
        const [one, alias] = [await ask(`GET /properties/${id}`), await ask(`GET /contact-properties/${id}`)]
        // The path exists for Resend's SDK, which has another name for the kind.
        const object = 'contact_property'
        expect([alias.status, alias.json]).toEqual([200, { ...one.json, object }])
        const [all, same] = [await ask('GET /properties'), await ask('GET /contact-properties')]
        const idOf = ({ id }: { id: string }) => id
        expect([same.status, same.json.data.map(idOf)]).toEqual([200, all.json.data.map(idOf)])
      }),
      proof('PRO-3', 'POST, PUT and DELETE', async ({ ask }) => {
        const made = await ask('POST /contact-properties', { key: unique('alias'), type: 'number' })
        expect(made.status, made.text).toBe(201)
        const path = `/contact-properties/${made.json.id}`
        expect((await ask(`PUT ${path}`, { fallback_value: '1' })).json.fallback_value).toBe(1)
        expect((await ask(`DELETE ${path}`)).json).toMatchObject({ id: made.json.id, deleted: true })
        expect((await ask(`GET /properties/${made.json.id}`)).status).toBe(404)
      }),
      proof('PRO-4', 'DELETE', async (scene) => {
        const { made, ask } = scene
        const { id } = await made('property')
        const condition = { field: 'property', property_id: id, operator: 'equals', value: 'x' }
        const filters = { groups: [{ match_type: 'all', conditions: [condition] }] }
        const segment = await made('segment', { filters })
        await checkAnswer(await ask(`DELETE /properties/${id}`), CONFLICT, scene)
        expect((await ask(`DELETE /segments/${segment.id}`)).status).toBe(200)
        expect((await ask(`DELETE /properties/${id}`)).status).toBe(200)
        await checkAnswer(await ask(`GET /properties/${id}`), NOT_FOUND, scene)
      }),
    ],
  },
]
