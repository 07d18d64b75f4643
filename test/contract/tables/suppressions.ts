import { expect } from 'vitest'
import { UNKNOWN_ID } from '../known.ts'
import { unique } from '../resources.ts'
import {
  aTime,
  aUuid,
  cases,
  checkAnswer,
  mustBeString,
  NOT_FOUND,
  proof,
  type Request,
  refusesField,
  required,
  type Section,
  tooLong,
} from '../row.ts'
import type { Scene } from '../scene.ts'

const adding = (email: unknown): Request => ['POST /suppressions', { email }]
const address = () => `${unique('s')}@gone.test`

const FIELDS: readonly (readonly [name: string, requirement: string, value: unknown])[] = [
  ['id', 'SUP-1', aUuid],
  ['email', 'SUP-1', expect.stringMatching(/^s\d+@gone\.test$/)],
  ['reason', 'SUP-1', 'manual'],
  ['created_at', 'SUP-1', aTime],
  ['updated_at', 'SUP-1', aTime],
]

async function changing(reason: string, scene: Scene): Promise<Request> {
  return [`PUT /suppressions/${(await scene.made('suppression')).id}`, { reason }]
}

const isListed = async ({ ask }: Scene, email: string) =>
  (await ask(`GET /suppressions/${email}`)).status === 200

const validating = (email: unknown): Request => ['POST /emails/validate', { email }]

/** Returns an address at a domain that accepts mail. */
const deliverable = (scene: Scene, local = 'ann.lee') => `${local}@${scene.service.givenDestination()}`

async function validated(scene: Scene, email: string) {
  const { status, json, text } = await scene.ask(...validating(email))
  expect(status, text).toBe(200)
  return json
}

const EVALUATIONS = [
  ...['has_valid_syntax', 'has_valid_dns', 'mailbox_exists'],
  ...['is_role_address', 'is_disposable', 'is_random_input'],
]

export const suppressionSections: readonly Section[] = [
  {
    heading: 'suppressions: the record',
    rows: [
      ...FIELDS.map(([name, requirement, value]) =>
        proof(requirement, name, async ({ ask }) => {
          const { json } = await ask(...adding(address()))
          expect(json[name]).toEqual(value)
          expect((await ask(`GET /suppressions/${json.id}`)).json[name]).toEqual(value)
        }),
      ),
    ],
  },
  {
    heading: 'suppressions: create',
    rows: [
      ...cases('SUP-2', adding, [
        ['absent', undefined, required('email')],
        ['null', null, refusesField('email')],
        ['empty', '', refusesField('email')],
        ['a number', 1, mustBeString('email')],
        ['255 characters', `${'x'.repeat(248)}@b.test`, tooLong('email', 254)],
        ['no address', 'nobody', refusesField('email')],
        ['a display name', 'Ann <ann@b.test>', refusesField('email')],
      ]),
      {
        requirement: 'SUP-2',
        asks: ['POST /suppressions', {}],
        answers: required('email'),
      },
      {
        requirement: 'SUP-1',
        asks: ['POST /suppressions', { email: 'Upper.CASE@Gone.TEST' }],
        answers: { status: 201, json: { email: 'upper.case@gone.test' } },
      },
      proof('SUP-2', 'the second time', async ({ ask }) => {
        const email = address()
        const [first, again] = [await ask(...adding(email)), await ask(...adding(email.toUpperCase()))]
        expect([first.status, again.status, again.json]).toEqual([201, 200, first.json])
      }),
      proof('SUP-2', 'present', async ({ ask }) => {
        expect((await ask(...adding(address()))).json.reason).toBe('manual')
      }),
    ],
  },
  {
    heading: 'suppressions',
    rows: [
      ...cases('SUP-1', changing, [
        ['manual', 'manual', { status: 200, json: { reason: 'manual' } }],
        ['bounce', 'bounce', { status: 200, json: { reason: 'bounce' } }],
        ['complaint', 'complaint', { status: 200, json: { reason: 'complaint' } }],
        ['another', 'whim', refusesField('reason')],
      ]),
      ...['by id', 'by address'].map((by, index) =>
        proof('SUP-3', by, async (scene) => {
          const { id, email } = (await scene.ask(...adding(address()))).json
          const path = `/suppressions/${index === 0 ? id : email}`
          expect((await scene.ask(`GET ${path}`)).json).toMatchObject({ id, email })
          const changed = await scene.ask(`PUT ${path}`, { reason: 'bounce' })
          expect([changed.status, changed.json.reason]).toEqual([200, 'bounce'])
          const gone = await scene.ask(`DELETE ${path}`)
          expect([gone.status, gone.json]).toEqual([200, { object: expect.any(String), id, deleted: true }])
          await checkAnswer(await scene.ask(`GET ${path}`), NOT_FOUND, scene)
          await checkAnswer(await scene.ask(`DELETE ${path}`), NOT_FOUND, scene)
        }),
      ),
      proof('SUP-4', 'add, then remove', async (scene) => {
        const emails = [address(), address()]
        const added = await scene.ask('POST /suppressions/batch/add', { emails })
        expect([200, 201], added.text).toContain(added.status)
        expect(await isListed(scene, emails[1] as string)).toBe(true)
        const removed = await scene.ask('POST /suppressions/batch/remove', { emails })
        expect(removed.status, removed.text).toBe(200)
        expect(await isListed(scene, emails[1] as string)).toBe(false)
      }),
      ...['add', 'remove'].map((verb) =>
        proof('SUP-4', `${verb} 1,000, 1,001`, async (scene) => {
          const emails = Array.from({ length: 1001 }, (_, index) => `b${index}@gone.test`)
          const route = `POST /suppressions/batch/${verb}`
          expect([200, 201]).toContain((await scene.ask(route, { emails: emails.slice(1) })).status)
          await checkAnswer(await scene.ask(route, { emails }), refusesField('emails'), scene)
        }),
      ),
    ],
  },
  {
    heading: 'validation of addresses',
    rows: [
      ...cases('VAL-1', validating, [
        ['absent', undefined, required('email')],
        ['null', null, refusesField('email')],
        ['a number', 1, mustBeString('email')],
        ['an array', ['a@b.test'], mustBeString('email')],
        ['nonsense', 'nobody', 200],
        ['empty', '', 200],
        ['a megabyte less a little', 'x'.repeat(1_000_000), 200],
        ['line breaks', 'a@b.test\r\nX: y', 200],
      ]),
      ...EVALUATIONS.map((name) =>
        proof('VAL-3', name, async (scene) => {
          const { evaluations } = await validated(scene, deliverable(scene))
          const expected = { has_valid_syntax: true, has_valid_dns: true, mailbox_exists: null }
          expect(evaluations[name]).toBe(name in expected ? expected[name as keyof typeof expected] : false)
        }),
      ),
      ...(
        [
          ['is_valid', true],
          ['should_block', false],
          ['block_reason', null],
          ['validated_at', aTime],
          ['verdict', expect.stringMatching(/^(deliverable|risky|undeliverable|unknown)$/)],
          ['did_you_mean', null],
          ['has_known_bounce', false],
          ['is_free_provider', false],
        ] as const
      ).map(([name, value]) =>
        proof('VAL-2', `${name} of a good address`, async (scene) => {
          const email = deliverable(scene)
          const answer = await validated(scene, email)
          expect(answer.email).toBe(email)
          expect(answer[name]).toEqual(value)
        }),
      ),
      proof('VAL-4', 'invalid_syntax', async (scene) => {
        const answer = await validated(scene, 'no at sign')
        expect(answer).toMatchObject({
          email: 'no at sign',
          is_valid: false,
          should_block: true,
          block_reason: 'invalid_syntax',
          verdict: 'undeliverable',
          evaluations: { has_valid_syntax: false },
        })
      }),
      proof('VAL-4', 'invalid', async (scene) => {
        expect(await validated(scene, 'ann@nowhere-at-all.test')).toMatchObject({
          is_valid: false,
          should_block: true,
          block_reason: 'invalid',
          verdict: 'undeliverable',
          evaluations: { has_valid_syntax: true, has_valid_dns: false },
        })
      }),
      proof('VAL-4', 'disposable_email', async (scene) => {
        scene.service.dns.set({ 'mailinator.com': { mx: [[10, 'mx.receiver.test']] } })
        expect(await validated(scene, 'ann@mailinator.com')).toMatchObject({
          should_block: true,
          block_reason: 'disposable_email',
          evaluations: { is_disposable: true },
        })
      }),
      proof('VAL-5', 'unknown', async (scene) => {
        const name = scene.service.givenDestination({ fail: 'servfail' })
        expect((await validated(scene, `ann@${name}`)).verdict).toBe('unknown')
      }),
      proof('VAL-3', 'postmaster', async (scene) => {
        const { evaluations } = await validated(scene, deliverable(scene, 'postmaster'))
        expect(evaluations.is_role_address).toBe(true)
      }),
      proof('VAL-3', 'letters at random', async (scene) => {
        const { evaluations } = await validated(scene, deliverable(scene, 'xkqzjwvbqpfh7z3k'))
        expect(evaluations.is_random_input).toBe(true)
      }),
      proof('VAL-2', 'gmial.com', async (scene) => {
        expect((await validated(scene, 'ann@gmial.com')).did_you_mean).toBe('ann@gmail.com')
      }),
      proof('VAL-2', 'gmail.com', async (scene) => {
        scene.service.dns.set({ 'gmail.com': { mx: [[10, 'mx.receiver.test']] } })
        expect((await validated(scene, 'ann.lee@gmail.com')).is_free_provider).toBe(true)
      }),
      proof('VAL-2', 'bounced here', async (scene) => {
        const email = deliverable(scene, 'nobody')
        scene.service.mx.recipients[email] = '550 5.1.1 No such user'
        await scene.sender.settled(await scene.sender.send({ to: email }))
        expect((await validated(scene, email)).has_known_bounce).toBe(true)
      }),
    ],
  },
  {
    heading: 'suppressions: unknown ids',
    rows: [
      {
        requirement: 'ERR-5',
        asks: [`GET /suppressions/${UNKNOWN_ID}`],
        answers: NOT_FOUND,
      },
    ],
  },
]
