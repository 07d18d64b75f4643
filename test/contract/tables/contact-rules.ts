import { expect } from 'vitest'
import { UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  cases,
  checkAnswer,
  type Expected,
  mustBeString,
  proof,
  type Request,
  required,
  type Section,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const address = () => `${unique('c')}@example.test`
const withField =
  (field: string) =>
  (value: unknown): Request => ['POST /contacts', { email: address(), [field]: value }]
const namesOf = (lists: { name: string }[]) => lists.map(({ name }) => name).sort()

/** Creates a property of this type, and a contact with this value. */
const valued =
  (type: string) =>
  async (value: unknown, scene: Scene): Promise<Request> => {
    const { key } = await scene.made('property', { type })
    return ['POST /contacts', { email: address(), properties: { [key]: value } }]
  }
/** Expects the contact to have this single value. */
const shows =
  (value: unknown): Expected =>
  ({ status, json, text }) => {
    expect(status, text).toBe(201)
    expect(Object.values(json.properties)).toEqual([value])
  }
const refusesValue: Expected = ({ status, json, text }) => {
  expect([status, json.name], text).toEqual([422, 'validation_error'])
  expect(Object.keys(json.errors)[0]).toMatch(/^properties\.key_\d+$/i)
}

export const contactRuleSections: readonly Section[] = [
  {
    heading: 'contacts, lists and values',
    rows: [
      proof('CON-1', 'of other case', async ({ ask }) => {
        const email = address()
        const { status, json } = await ask('POST /contacts', { email: email.toUpperCase() })
        expect([status, json.email]).toEqual([201, email])
        const again = await ask('POST /contacts', { email })
        expect([again.status, again.json.id]).toEqual([200, json.id])
      }),
      ...['GET', 'PUT', 'DELETE'].map((method) =>
        proof('CON-5', method, async (scene) => {
          const { id, email } = await scene.made('contact')
          const path = `/contacts/${encodeURIComponent(email.toUpperCase())}`
          const reply = await scene.ask(
            `${method} ${path}`,
            method === 'PUT' ? { first_name: 'x' } : undefined,
          )
          expect([reply.status, reply.json.id]).toEqual([200, id])
        }),
      ),
      proof('CON-6', 'after DELETE', async (scene) => {
        const { id, email } = await scene.made('contact', { first_name: 'Ann' })
        await scene.ask(`DELETE /contacts/${id}`)
        const { status, json } = await scene.ask('POST /contacts', { email })
        expect([status, json.id === id, json.first_name ?? '']).toEqual([201, false, ''])
      }),
      {
        requirement: 'CON-3',
        asks: async (scene) => withField('list_ids')([(await scene.made('list')).id, UNKNOWN_ID]),
        answers: ({ status, json }) => {
          expect([status, json.name]).toEqual([422, 'validation_error'])
          expect(Object.keys(json.errors)[0]).toMatch(/^list_ids(\.1)?$/)
        },
      },
      proof('CON-4', 'two properties', async (scene) => {
        const [one, two] = [await scene.made('property'), await scene.made('property')]
        const [a, b] = [one.key.toUpperCase(), two.key.toUpperCase()]
        const { id } = await scene.made('contact', { properties: { [one.key]: '1' } })
        const change = (properties: object) => scene.ask(`PUT /contacts/${id}`, { properties })
        expect((await change({ [two.key]: '2' })).json.properties).toEqual({ [a]: '1', [b]: '2' })
        expect((await change({ [one.key]: null })).json.properties).toEqual({ [b]: '2' })
      }),
      proof('CON-4', 'not the fallback', async (scene) => {
        await scene.made('property', { fallback_value: 'fallback' })
        expect((await scene.made('contact')).properties).toEqual({})
      }),
      ...cases('PRO-5', valued('number'), [
        ['a number', 7.5, shows(7.5)],
        [
          'a numeric string',
          '7.5',
          ({ status, json }) =>
            expect([status, Number(Object.values(json.properties)[0])]).toEqual([201, 7.5]),
        ],
        ['a text', 'seven', refusesValue],
        ['a boolean', true, refusesValue],
      ]),
      ...cases('PRO-5', valued('date'), [
        [
          'with an offset',
          '2026-01-02T03:04:05+02:00',
          ({ status, json }) => {
            expect(status).toBe(201)
            expect(String(Object.values(json.properties)[0])).toMatch(/^2026-01-02[T ]01:04:05/)
          },
        ],
        ['a text', 'yesterday', refusesValue],
        ['no such day', '2026-02-31', refusesValue],
        ['a number', 7, refusesValue],
      ]),
      ...cases('PRO-5', valued('string'), [
        ['1,000', '😀'.repeat(1000), shows('😀'.repeat(1000))],
        ['1,001', '😀'.repeat(1001), refusesValue],
        ['a number', 7, refusesValue],
      ]),
      proof('PRO-5', 'and a known key of other case is known', async (scene) => {
        const { key } = await scene.made('property')
        const contact = await scene.made('contact', { properties: { [key.toUpperCase()]: 'x' } })
        expect(contact.properties).toEqual({ [key.toUpperCase()]: 'x' })
      }),
      proof('CON-7', 'beside the one it has', async (scene) => {
        const [one, two] = [await scene.made('list'), await scene.made('list')]
        const { id } = await scene.made('contact', { list_ids: [one.id] })
        const reply = await scene.ask(`POST /contacts/${id}/lists`, { list_ids: [two.id] })
        expect(reply.status, reply.text).toBe(200)
        const { json } = await scene.ask(`GET /contacts/${id}`)
        expect(namesOf(json.lists)).toEqual([one.name, two.name].sort())
      }),
      proof('CON-7', '422 for an unknown list', async (scene) => {
        const { id } = await scene.made('contact')
        expect((await scene.ask(`POST /contacts/${id}/lists`, { list_ids: [UNKNOWN_ID] })).status).toBe(422)
        await checkAnswer(await scene.ask(`POST /contacts/${id}/lists`, {}), required('list_ids'), scene)
      }),
      proof('CON-7', 'its lists', async (scene) => {
        const list = await scene.made('list')
        const { id } = await scene.made('contact', { list_ids: [list.id] })
        const { json } = await scene.ask(`GET /contacts/${id}/lists`)
        expect(json.data).toMatchObject([{ id: list.id, name: list.name }])
        expect(json.meta.total).toBe(1)
      }),
      proof('LST-1', 'members', async (scene) => {
        const list = await scene.made('list')
        const { id } = await scene.made('contact', { list_ids: [list.id] })
        await scene.made('contact')
        const { json } = await scene.ask(`GET /lists/${list.id}/contacts`)
        expect(json.data).toMatchObject([{ id }])
        expect(json.meta.total).toBe(1)
      }),
      ...cases('LST-1', (name: unknown): Request => ['POST /lists', { name }], [
        ['absent', undefined, required('name')],
        ['a number', 1, mustBeString('name')],
      ]),
      ...(['email', 'list_id', 'segment_id', 'unsubscribed', 'q'] as const).map((name) =>
        proof('CON-8', name, async (scene) => {
          const [list, word] = [await scene.made('list'), unique('word')]
          const condition = { field: 'first_name', operator: 'equals', value: word }
          const filters = { groups: [{ match_type: 'all', conditions: [condition] }] }
          const segment = await scene.made('segment', { filters })
          const fields = { first_name: word, list_ids: [list.id], unsubscribed: true }
          const [{ id, email }, other] = [await scene.made('contact', fields), await scene.made('contact')]
          const values = {
            email,
            list_id: list.id,
            segment_id: segment.id,
            unsubscribed: 'true',
            q: word.slice(0, -1),
          }
          const { status, json, text } = await scene.ask(
            `GET /contacts?${name}=${encodeURIComponent(values[name])}`,
          )
          expect(status, text).toBe(200)
          const ids = json.data.map((contact: { id: string }) => contact.id)
          expect([ids.includes(id), ids.includes(other.id)]).toEqual([true, false])
        }),
      ),
      proof('CON-8', 'address, first and last name', async (scene) => {
        const [first, last] = [unique('Firstname'), unique('Lastname')]
        const { id, email } = await scene.made('contact', { first_name: first, last_name: last })
        for (const q of [email.slice(0, -8), first.toLowerCase(), last]) {
          const { json } = await scene.ask(`GET /contacts?q=${encodeURIComponent(q)}`)
          expect(
            json.data.map((contact: { id: string }) => contact.id),
            q,
          ).toEqual([id])
        }
        const { json } = await scene.ask(`GET /contacts?q=${first.slice(1)}`)
        expect(json.data).toEqual([])
      }),
      proof('CON-9', 'an email', async (scene) => {
        const email = `${unique('delivered+')}@simulator.test`
        await scene.made('contact', { email, unsubscribed: true })
        expect((await scene.sender.settled(await scene.sender.send({ to: email }))).status).toBe('delivered')
      }),
    ],
  },
]
