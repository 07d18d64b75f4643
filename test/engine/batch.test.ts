import { beforeAll, describe, expect, test } from 'vitest'
import { pauseTeam, resumeTeam } from '../../src/teams/teams.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('direct')
  ann = await service.givenSender()
})

const PERMISSIVE = { 'x-batch-validation': 'permissive' }
const key = (text: string) => ({ 'idempotency-key': text })

async function countEmails(sender: Sender): Promise<number> {
  const rows = await service.db.query('select 1 from email where team_id = $1', [sender.id])
  return rows.length
}

function subjects(sender: Sender, names: readonly string[]) {
  return names.map((subject) => sender.email({ subject }))
}

describe('a strict batch', () => {
  test('202 with one id for each email, in order, and all are delivered', async () => {
    const { status, json } = await ann.post('/emails/batch', subjects(ann, ['one', 'two', 'three']))
    expect(status).toBe(202)
    expect(Object.keys(json)).toEqual(['data'])
    const emails = await Promise.all(json.data.map(({ id }: { id: string }) => ann.settled(id)))
    expect(emails.map((email) => [email.subject, email.status])).toEqual([
      ['one', 'delivered'],
      ['two', 'delivered'],
      ['three', 'delivered'],
    ])
  })

  test('202 with attachments and a schedule for single emails', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=' }]
    const { json } = await ann.post('/emails/batch', [
      ann.email({ attachments }),
      ann.email({ scheduled_at: at }),
    ])
    const [now, later] = json.data
    expect((await ann.settled(now.id)).attachments).toMatchObject([{ filename: 'a.txt', size: 5 }])
    expect((await ann.get(`/emails/${later.id}`)).json.status).toBe('scheduled')
    expect((await ann.post(`/emails/${later.id}/cancel`)).status).toBe(200)
  })

  test('422 with the field under its index, and nothing is accepted', async () => {
    const before = await countEmails(ann)
    const batch = [ann.email(), ann.email({ to: 'nobody' }), ann.email({ subject: '' }), 5]
    const { status, json } = await ann.post('/emails/batch', batch)
    expect(status).toBe(422)
    expect(json).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message: 'The 1.to field must be a valid email address.',
      errors: {
        '1.to': ['The 1.to field must be a valid email address.'],
        '2.subject': ['The 2.subject field is required.'],
        '3': ['The 3 field must be an object.'],
      },
    })
    expect(await countEmails(ann)).toBe(before)
  })

  test('422 with the literal message when one domain is not verified, and nothing is accepted', async () => {
    const before = await countEmails(ann)
    const { status, json } = await ann.post('/emails/batch', [
      ann.email(),
      ann.email({ from: 'x@other.test' }),
    ])
    expect(status).toBe(422)
    expect(json.message).toBe('The from address domain is not verified.')
    expect(json.errors).toEqual({ '1.from': ['The from address domain is not verified.'] })
    expect(await countEmails(ann)).toBe(before)
  })

  test('422 over the daily limit, nothing accepted and nothing counted', async () => {
    const bob = await service.givenSender({ plan: 'free' })
    const to = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@to.test`)
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const email = (count: number) => bob.email({ to: to(count), scheduled_at: at })
    const over = await bob.post('/emails/batch', [email(50), email(50), email(1)])
    expect([over.status, over.json.message]).toEqual([422, 'Daily email quota exceeded.'])
    expect((await bob.get('/usage')).json.day.used).toBe(0)
    expect((await bob.post('/emails/batch', [email(50), email(50)])).status).toBe(202)
    expect((await bob.get('/usage')).json.day.used).toBe(100)
  })

  test('422 while sending is paused', async () => {
    const bob = await service.givenSender()
    await pauseTeam(service.db, bob.id, new Date())
    const { status, json } = await bob.post('/emails/batch', [bob.email()])
    expect([status, json.message]).toEqual([422, 'Sending is paused for this account.'])
    await resumeTeam(service.db, bob.id, new Date())
  })

  test('403 for a key that may send from another domain only', async () => {
    const bob = await service.givenSender()
    const other = await bob.post('/domains', { name: `other-${bob.domain}` })
    const key = await bob.givenKey({ permission: 'send', domainId: other.json.id })
    const { status, json } = await key.post('/emails/batch', [bob.email()])
    expect([status, json.name]).toEqual([403, 'restricted_api_key'])
  })

  test('422 for no email, 101 emails, a body that is not an array, and an unknown mode', async () => {
    const many = Array.from({ length: 101 }, () => ann.email())
    for (const body of [[], many, {}, null, 'x']) {
      const { status, json } = await ann.post('/emails/batch', body)
      expect([status, json.name]).toEqual([422, 'validation_error'])
    }
    const mode = await ann.post('/emails/batch', [ann.email()], { 'x-batch-validation': 'lax' })
    expect([mode.status, Object.keys(mode.json.errors)]).toEqual([422, ['x-batch-validation']])
  })

  test('202 for a hundred emails, which count as one request', async () => {
    const bob = await service.givenSender()
    const batch = Array.from({ length: 100 }, (_, i) => bob.email({ subject: `n${i}` }))
    const first = await bob.post('/emails/batch', batch)
    expect([first.status, first.json.data.length]).toEqual([202, 100])
    const next = await bob.post('/emails', bob.email())
    const remaining = [first, next].map(({ headers }) => Number(headers.get('ratelimit-remaining')))
    expect((remaining[0] as number) - (remaining[1] as number)).toBe(1)
  })
})

describe('a permissive batch', () => {
  test('202 with the valid emails, and the others by index and message', async () => {
    const { status, json } = await ann.post(
      '/emails/batch',
      [
        ann.email({ to: 'nobody' }),
        ann.email({ subject: 'good' }),
        ann.email({ from: 'x@other.test' }),
        { to: 5 },
        ann.email({ subject: 'good too' }),
      ],
      PERMISSIVE,
    )
    expect(status).toBe(202)
    expect(json.errors).toEqual([
      { index: 0, message: 'The to field must be a valid email address.' },
      { index: 2, message: 'The from address domain is not verified.' },
      { index: 3, message: 'The to field must be a string or an array.' },
    ])
    const emails = await Promise.all(json.data.map(({ id }: { id: string }) => ann.settled(id)))
    expect(emails.map((email) => email.subject)).toEqual(['good', 'good too'])
  })

  test('202 without errors when all are valid, and with only errors when none is', async () => {
    const good = await ann.post('/emails/batch', [ann.email()], PERMISSIVE)
    expect([good.status, good.json.data.length, good.json.errors]).toEqual([202, 1, []])
    const bad = await ann.post('/emails/batch', [{}], PERMISSIVE)
    expect([bad.status, bad.json.data, bad.json.errors.length]).toEqual([202, [], 1])
  })

  test('202 with as many emails as the daily limit allows', async () => {
    const bob = await service.givenSender({ plan: 'free' })
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const to = Array.from({ length: 40 }, (_, i) => `r${i}@to.test`)
    const email = () => bob.email({ to, scheduled_at: at })
    const { json } = await bob.post('/emails/batch', [email(), email(), email(), bob.email()], PERMISSIVE)
    expect(json.data.length).toBe(3)
    expect(json.errors).toEqual([{ index: 2, message: 'Daily email quota exceeded.' }])
  })
})

describe('an idempotency key of a batch', () => {
  test('202 with the first ids again, strict or permissive with its errors; one set of emails', async () => {
    const before = await countEmails(ann)
    const batch = [ann.email(), { subject: 'bad' }, ann.email()]
    const first = await ann.post('/emails/batch', batch, { ...key('p'), ...PERMISSIVE })
    const again = await ann.post('/emails/batch', batch, { ...key('p'), ...PERMISSIVE })
    expect(first.json.errors.length).toBe(1)
    expect(again.json).toEqual(first.json)
    const whole = await ann.post('/emails/batch', [ann.email(), ann.email()], key('w'))
    const repeated = await ann.post('/emails/batch', [ann.email(), ann.email()], key('w'))
    expect(repeated.json).toEqual(whole.json)
    expect(await countEmails(ann)).toBe(before + 4)
  })

  test('202 with the errors of the first response, even when the repeated request is strict', async () => {
    const batch = [ann.email(), ann.email({ to: 'nobody' })]
    const first = await ann.post('/emails/batch', batch, { ...key('s'), ...PERMISSIVE })
    const again = await ann.post('/emails/batch', batch, key('s'))
    expect(first.json.errors).toHaveLength(1)
    expect([again.status, again.json]).toEqual([202, first.json])
  })

  test('202 with errors that the database found, under the same key', async () => {
    const batch = [ann.email(), ann.email({ from: 'x@other.test' })]
    const first = await ann.post('/emails/batch', batch, { ...key('d'), ...PERMISSIVE })
    const again = await ann.post('/emails/batch', batch, { ...key('d'), ...PERMISSIVE })
    expect(first.json.errors).toEqual([{ index: 1, message: 'The from address domain is not verified.' }])
    expect(again.json).toEqual(first.json)
  })

  test('409 for another batch under the same key; a rejected batch releases its key', async () => {
    await ann.post('/emails/batch', [ann.email()], key('x'))
    const other = await ann.post('/emails/batch', [ann.email({ subject: 'Other' })], key('x'))
    expect([other.status, other.json.name]).toEqual([409, 'invalid_idempotent_request'])
    const refused = await ann.post('/emails/batch', [ann.email({ from: 'x@other.test' })], key('y'))
    expect(refused.status).toBe(422)
    expect((await ann.post('/emails/batch', [ann.email()], key('y'))).status).toBe(202)
  })

  test('one set of emails from twenty parallel requests; each response has its ids or is 409', async () => {
    const before = await countEmails(ann)
    const batch = subjects(ann, ['a', 'b', 'c'])
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ann.post('/emails/batch', batch, key('z'))),
    )
    const answers = new Set(replies.filter((r) => r.status === 202).map((r) => JSON.stringify(r.json)))
    expect(answers.size).toBe(1)
    expect(replies.filter((r) => r.status !== 202 && r.status !== 409)).toEqual([])
    expect(await countEmails(ann)).toBe(before + 3)
  })
})
