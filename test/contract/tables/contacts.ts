import { expect } from 'vitest'
import { UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  cases,
  checkAnswer,
  creates,
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

const address = () => `${unique('c')}@example.test`
const withField =
  (field: string) =>
  (value: unknown): Request => ['POST /contacts', { email: address(), [field]: value }]
const namesOf = (lists: { name: string }[]) => lists.map(({ name }) => name).sort()

const FIELDS: readonly (readonly [name: string, requirement: string, value: unknown])[] = [
  ['id', 'CON-2', aUuid],
  ['email', 'CON-2', expect.stringMatching(/^c\d+@example\.test$/)],
  ['first_name', 'CON-2', 'Ann'],
  ['last_name', 'CON-2', 'Lee'],
  ['user_id', 'CON-2', 'u-7'],
  ['unsubscribed', 'CON-2', false],
  ['properties', 'CON-4', {}],
  ['lists', 'CON-2', []],
  ['created_at', 'CON-2', aTime],
  ['updated_at', 'CON-2', aTime],
]

export const contactSections: readonly Section[] = [
  {
    heading: 'contacts: the record',
    rows: [
      ...FIELDS.map(([name, requirement, value]) =>
        proof(requirement, name, async ({ ask }) => {
          const body = { email: address(), first_name: 'Ann', last_name: 'Lee', user_id: 'u-7' }
          const { status, json } = await ask('POST /contacts', body)
          expect(status).toBe(201)
          expect(json[name]).toEqual(value)
          expect((await ask(`GET /contacts/${json.id}`)).json[name]).toEqual(value)
        }),
      ),
      ...['id', 'name', 'created_at', 'updated_at'].map((name) =>
        proof('LST-1', name, async (scene) => {
          const list = await scene.made('list')
          const { lists } = await scene.made('contact', { list_ids: [list.id] })
          expect(lists).toHaveLength(1)
          expect(lists[0][name]).toBe(list[name])
        }),
      ),
      proof('CON-4', 'a lower-case key', async (scene) => {
        const { key } = await scene.made('property')
        const contact = await scene.made('contact', { properties: { [key]: 'x' } })
        expect(contact.properties).toEqual({ [key.toUpperCase()]: 'x' })
      }),
    ],
  },
  {
    heading: 'contacts: create or update',
    rows: [
      {
        requirement: 'CON-1',
        by: 'created',
        asks: () => ['POST /contacts', { email: address() }],
        answers: 201,
      },
      proof('CON-1', 'the second time', async ({ ask }) => {
        const email = address()
        const first = await ask('POST /contacts', { email, first_name: 'Ann', last_name: 'Lee' })
        const again = await ask('POST /contacts', { email, first_name: 'Eve' })
        expect([first.status, again.status]).toEqual([201, 200])
        expect(again.json).toMatchObject({ id: first.json.id, first_name: 'Eve', last_name: 'Lee' })
      }),
      ...cases('CON-1', (email: unknown): Request => ['POST /contacts', { email }], [
        ['absent', undefined, required('email')],
        ['null', null, refusesField('email')],
        ['empty', '', refusesField('email')],
        ['a number', 1, mustBeString('email')],
        ['no address', 'nobody', refusesField('email')],
        ['255 characters', `${'x'.repeat(248)}@b.test`, tooLong('email', 254)],
      ]),
      ...['first_name', 'last_name', 'user_id'].flatMap((field) => [
        ...lengths('CON-2', withField(field), {
          field,
          accepted: creates({ [field]: '😀'.repeat(255) }),
        }),
        ...cases('CON-2', withField(field), [[`${field} a number`, 1, mustBeString(field)]]),
      ]),
      ...cases('CON-2', withField('unsubscribed'), [
        ['true', true, creates({ unsubscribed: true })],
        ['false', false, creates({ unsubscribed: false })],
        ['a text', 'true', refusesField('unsubscribed')],
        ['a number', 1, refusesField('unsubscribed')],
      ]),
      proof('CON-3', 'another list', async (scene) => {
        const [one, two] = [await scene.made('list'), await scene.made('list')]
        const { email } = await scene.made('contact', { list_ids: [one.id] })
        const { json } = await scene.ask('POST /contacts', { email, list_ids: [two.id] })
        expect(namesOf(json.lists)).toEqual([two.name])
        const none = await scene.ask('POST /contacts', { email, list_ids: [] })
        expect(none.json.lists).toEqual([])
      }),
      ...cases('CON-3', withField('list_ids'), [
        ['a text', UNKNOWN_ID, refusesField('list_ids')],
        ['a number in it', [1], mustBeString('list_ids.0')],
      ]),
      ...cases('PRO-5', withField('properties'), [
        ['an unknown key', { nothing_of_the_kind: 'x' }, refusesField('properties.nothing_of_the_kind')],
        ['an array', [1], refusesField('properties')],
        ['an empty array, an empty map in PHP', [], creates({ properties: {} })],
        ['none', {}, creates({ properties: {} })],
      ]),
    ],
  },
  {
    heading: 'contacts: update and delete',
    rows: [
      proof('API-8', 'PUT', async (scene) => {
        const list = await scene.made('list')
        const before = await scene.made('contact', { first_name: 'Ann', user_id: 'u', list_ids: [list.id] })
        const { status, json } = await scene.ask(`PUT /contacts/${before.id}`, { last_name: 'Lee' })
        expect(status).toBe(200)
        expect(json).toEqual({ ...before, last_name: 'Lee', updated_at: json.updated_at })
      }),
      proof('CON-3', 'PUT', async (scene) => {
        const [list, property] = [await scene.made('list'), await scene.made('property')]
        const { id } = await scene.made('contact')
        const body = { list_ids: [list.id], properties: { [property.key]: 'x' } }
        const { json } = await scene.ask(`PUT /contacts/${id}`, body)
        expect(namesOf(json.lists)).toEqual([list.name])
        expect(json.properties).toEqual({ [property.key.toUpperCase()]: 'x' })
      }),
      {
        requirement: 'ERR-5',
        by: '404',
        asks: [`PUT /contacts/${UNKNOWN_ID}`, { first_name: 'Ann' }],
        answers: NOT_FOUND,
      },
      ...['first_name', 'last_name', 'user_id'].map((field) =>
        proof('CON-2', `PUT ${field}`, async (scene) => {
          const { id } = await scene.made('contact')
          const good = await scene.ask(`PUT /contacts/${id}`, { [field]: '😀'.repeat(255) })
          expect(good.status).toBe(200)
          const bad = await scene.ask(`PUT /contacts/${id}`, { [field]: '😀'.repeat(256) })
          await checkAnswer(bad, tooLong(field), scene)
        }),
      ),
      proof('CON-2', 'PUT email', async (scene) => {
        const { id } = await scene.made('contact')
        const bad = await scene.ask(`PUT /contacts/${id}`, { email: `${'x'.repeat(249)}@b.test` })
        await checkAnswer(bad, tooLong('email', 254), scene)
        const good = await scene.ask(`PUT /contacts/${id}`, { email: 'moved@example.test' })
        expect([good.status, good.json.email]).toEqual([200, 'moved@example.test'])
      }),
      proof('CON-6', 'soft-deleted', async (scene) => {
        const list = await scene.made('list')
        const { id, email } = await scene.made('contact', { list_ids: [list.id] })
        expect((await scene.ask(`DELETE /contacts/${id}`)).status).toBe(200)
        for (const path of [`/contacts/${id}`, `/contacts/${email}`, `/contacts/${id}/lists`]) {
          expect((await scene.ask(`GET ${path}`)).status, path).toBe(404)
        }
        for (const path of [
          '/contacts?per_page=100',
          `/contacts?email=${email}`,
          `/lists/${list.id}/contacts`,
        ]) {
          expect((await scene.ask(`GET ${path}`)).text, path).not.toContain(id)
        }
        expect((await scene.ask(`DELETE /contacts/${id}`)).status).toBe(404)
      }),
      proof('CON-7', 'DELETE /contacts/{id}/lists/{listId}', async (scene) => {
        const [one, two] = [await scene.made('list'), await scene.made('list')]
        const { id } = await scene.made('contact', { list_ids: [one.id, two.id] })
        const reply = await scene.ask(`DELETE /contacts/${id}/lists/${one.id}`)
        expect(reply.status).toBe(200)
        const contact = await scene.ask(`GET /contacts/${id}`)
        expect([contact.status, namesOf(contact.json.lists)]).toEqual([200, [two.name]])
      }),
      proof('CON-7', 'the same for one that is not in it', async (scene) => {
        const [{ id }, list] = [await scene.made('contact'), await scene.made('list')]
        const reply = await scene.ask(`DELETE /contacts/${id}/lists/${list.id}`)
        expect([reply.status, reply.json.deleted]).toEqual([200, true])
      }),
      proof('CON-6', 'GET /contacts/{id}/export', async (scene) => {
        const { id } = await scene.made('contact')
        expect((await scene.ask(`GET /contacts/${id}/export`)).status).toBe(200)
        expect((await scene.ask(`DELETE /contacts/${id}`)).status).toBe(200)
        await checkAnswer(await scene.ask(`GET /contacts/${id}/export`), NOT_FOUND, scene)
      }),
      proof('CON-7', '404 for what is not there', async (scene) => {
        const [{ id }, list] = [await scene.made('contact'), await scene.made('list')]
        const unknown = [`${id}/lists/${UNKNOWN_ID}`, `${UNKNOWN_ID}/lists/${list.id}`]
        for (const path of unknown) {
          await checkAnswer(await scene.ask(`DELETE /contacts/${path}`), NOT_FOUND, scene)
        }
      }),
    ],
  },
]
