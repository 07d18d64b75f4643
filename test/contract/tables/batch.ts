import { expect } from 'vitest'
import { inDays } from '../known.ts'
import { aUuid, cases, error, proof, type Request, refuses, required, type Section } from '../row.ts'
import type { Scene } from '../scene.ts'

const batch = (emails: unknown, { sender }: Scene, headers = {}): Request => [
  'POST /emails/batch',
  Array.isArray(emails)
    ? emails.map((fields) => (typeof fields === 'object' ? sender.email(fields) : fields))
    : emails,
  headers,
]
const PERMISSIVE = { 'x-batch-validation': 'permissive' }
const some = (count: number) => Array.from({ length: count }, () => ({}))

async function countEmails({ ask }: Scene): Promise<number> {
  return (await ask('GET /emails')).json.meta.total
}

const refused422 = { status: 422, json: { statusCode: 422, name: 'validation_error' } }

export const batchSections: readonly Section[] = [
  {
    heading: 'batches',
    rows: [
      ...cases('BAT-1', (count: number, scene) => batch(some(count), scene), [
        ['1', 1, { status: 202, exactly: { data: [{ id: aUuid }] } }],
        ['100', 100, { status: 202, exactly: { data: Array(100).fill({ id: aUuid }) } }],
        ['0', 0, refused422],
        ['101', 101, refused422],
      ]),
      ...cases('BAT-1', batch, [
        ['an object', {}, error(422, 'validation_error', 'The request body must be a JSON array.')],
        ['an array of texts', ['x'], refuses({ 0: 'The 0 field must be an object.' })],
        ['an empty array as headers', [{ headers: [] }], 202],
        ['an email without recipients', [{ to: '' }], required('0.to')],
      ]),
      proof('BAT-1', 'both', async (scene) => {
        const fields = { attachments: [{ filename: 'a.txt', content: 'YQ==' }], scheduled_at: inDays(1) }
        const { status, json } = await scene.ask(...batch([fields], scene))
        expect(status).toBe(202)
        const email = (await scene.ask(`GET /emails/${json.data[0].id}`)).json
        expect(email).toMatchObject({ status: 'scheduled', attachments: [{ filename: 'a.txt' }] })
      }),
      proof('ACC-26', 'for each email of a batch', async (scene) => {
        const { status, json } = await scene.ask(...batch([{ class: 'bulk' }, {}], scene))
        expect(status).toBe(202)
        const classes = json.data.map(
          async ({ id }: { id: string }) => (await scene.ask(`GET /emails/${id}`)).json.class,
        )
        expect(await Promise.all(classes)).toEqual(['bulk', 'transactional'])
        const bad = await scene.ask(...batch([{}, { class: 'urgent' }], scene))
        expect(Object.keys(bad.json.errors)).toEqual(['1.class'])
      }),
      proof('BAT-2', 'one of three is bad', async (scene) => {
        const before = await countEmails(scene)
        const reply = await scene.ask(...batch([{}, { to: 'nobody' }, {}], scene))
        expect(reply).toMatchObject(refused422)
        expect(await countEmails(scene)).toBe(before)
        expect(reply.text).toContain('1.to')
      }),
      proof('BAT-2', 'one from a domain that is not verified', async (scene) => {
        const before = await countEmails(scene)
        const { status, json } = await scene.ask(...batch([{}, { from: 'a@unverified.test' }], scene))
        expect([status, json.message]).toEqual([422, 'The from address domain is not verified.'])
        expect(await countEmails(scene)).toBe(before)
      }),
      proof('BAT-3', 'bad', async (scene) => {
        const before = await countEmails(scene)
        const emails = [{}, { to: undefined }, {}, { from: 'a@unverified.test' }]
        const { status, json } = await scene.ask(...batch(emails, scene, PERMISSIVE))
        expect(status).toBe(202)
        expect(json).toEqual({
          data: [{ id: aUuid }, { id: aUuid }],
          errors: [
            { index: 1, message: 'The to field is required.' },
            { index: 3, message: 'The from address domain is not verified.' },
          ],
        })
        expect(await countEmails(scene)).toBe(before + 2)
      }),
      proof('BAT-3', 'all are good', async (scene) => {
        const { status, json } = await scene.ask(...batch([{}, {}], scene, PERMISSIVE))
        expect([status, json.data.length, json.errors ?? []]).toEqual([202, 2, []])
      }),
      proof('BAT-4', 'a batch', async (scene) => {
        const key = { 'idempotency-key': 'a batch' }
        const request = batch([{}, {}], scene, key)
        const [first, again] = [await scene.ask(...request), await scene.ask(...request)]
        expect([again.status, again.text]).toEqual([202, first.text])
        const other = await scene.ask(...batch([{}], scene, key))
        expect([other.status, other.json.name]).toEqual([409, 'invalid_idempotent_request'])
      }),
    ],
  },
]
