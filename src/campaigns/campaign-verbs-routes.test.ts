import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../../test/support/api.ts'
import { made as madeBy } from '../../test/support/client.ts'
import type { GivenTeam } from '../../test/support/teams.ts'
import { contactRoutes } from '../audience/contacts/contacts-routes.ts'
import { listRoutes } from '../audience/lists/lists-routes.ts'
import { segmentRoutes } from '../audience/segments/segments-routes.ts'
import { domainRoutes } from '../domains/routes/domains-routes.ts'
import { senderRoutes } from '../domains/routes/senders-routes.ts'
import { newId } from '../lib/ids.ts'
import { systemClock } from '../lib/time/clock.ts'
import { campaignVerbRoutes } from './campaign-verbs-routes.ts'
import { campaignRoutes } from './campaigns-routes.ts'
import { campaignRecipientRoutes } from './results/recipients-routes.ts'

type Fields = Record<string, unknown>
type Status = 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'canceled'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

let api: Api
let ann: GivenTeam
let bob: GivenTeam
let senderId: string
let listId: string

beforeAll(async () => {
  api = await startApi({
    routes: [
      ...domainRoutes,
      ...senderRoutes,
      ...listRoutes,
      ...segmentRoutes,
      ...contactRoutes,
      ...campaignRoutes,
      ...campaignVerbRoutes,
      ...campaignRecipientRoutes,
    ],
    deps: { secret: randomBytes(32) },
    clock: systemClock,
  })
  ann = await api.givenTeam()
  bob = await api.givenTeam()
  const domainId = await made('/domains', { name: 'ann.example' })
  senderId = await made('/senders', { name: 'Ann', username: 'ann', domain_id: domainId })
  listId = await made('/lists', { name: 'L' })
})
afterAll(() => api.stop())

const made = (path: string, body: Fields) => madeBy(ann, path, body)

const READY = () => ({
  name: 'Spring',
  sender_id: senderId,
  subject: 'Hi',
  html: '<p>Hi</p>',
  list_id: listId,
})
const givenDraft = (fields: Fields = {}) => made('/campaigns', { ...READY(), ...fields })

/** Creates a campaign and brings it into a status by requests; `sent` by the database. */
async function givenCampaign(
  status: Status,
  { hasBegun = status !== 'draft' && status !== 'scheduled' } = {},
) {
  const id = await givenDraft()
  const steps: Record<Status, Fields[]> = {
    draft: [],
    scheduled: [{ status: 'scheduled', scheduled_at: inHours(1) }],
    sending: [{ status: 'sending' }],
    paused: [{ status: 'sending' }, { status: 'paused' }],
    sent: [{ status: 'sending' }],
    canceled: hasBegun ? [{ status: 'sending' }, { status: 'canceled' }] : [{ status: 'canceled' }],
  }
  for (const body of steps[status]) expect((await ann.patch(`/campaigns/${id}`, body)).status).toBe(200)
  if (status === 'sent') await end(id)
  return id
}

/** Ends a campaign as the runner does. */
async function end(id: string) {
  await api.db.query(
    `update campaign set status = 'sent', paused_reason = null, ended_at = now(), audience_done = true where id = $1`,
    [id],
  )
}

/** Adds a recipient with a contact of its own. */
async function givenRecipient(id: string, state: string, reason: string | null = null): Promise<string> {
  const contactId = await made('/contacts', { email: `${newId()}@x.test` })
  await api.db.query(
    `insert into campaign_recipient (team_id, campaign_id, contact_id, state, reason, email_id, updated_at)
     values ($1, $2, $3, $4, $5, $6, now())`,
    [ann.id, id, contactId, state, reason, state === 'accepted' ? newId() : null],
  )
  await api.db.query(
    `update campaign_progress set ${state} = ${state} + 1 where team_id = $1 and campaign_id = $2`,
    [ann.id, id],
  )
  return contactId
}

const verb = (id: string, name: string, body?: Fields) => ann.post(`/campaigns/${id}/${name}`, body)
const statusOf = async (id: string) => (await ann.get(`/campaigns/${id}`)).json.status

describe('send', () => {
  test.each([
    ['draft', {}],
    ['scheduled', {}],
    ['canceled', { hasBegun: false }],
  ] as const)('200 for one that is %s: it is sending', async (status, options) => {
    const id = await givenCampaign(status, options)
    const reply = await verb(id, 'send')
    expect([reply.status, reply.json.status], reply.text).toEqual([200, 'sending'])
    expect(reply.json).toMatchObject({ id, started_at: expect.any(String), paused_reason: null })
    expect((await ann.get(`/campaigns/${id}`)).json).toEqual(reply.json)
  })

  test('200 for one with a text and an empty html', async () => {
    const id = await givenDraft({ html: '', text: 'Hi' })
    const reply = await verb(id, 'send')
    expect([reply.status, reply.json.status], reply.text).toEqual([200, 'sending'])
  })

  test('200 with a time: scheduled, and rescheduled', async () => {
    const id = await givenCampaign('draft')
    const at = '2099-01-01T00:00:00Z'
    expect((await verb(id, 'send', { scheduled_at: at })).status).toBe(422)
    for (const hours of [2, 3]) {
      const time = inHours(hours)
      const reply = await verb(id, 'send', { scheduled_at: time })
      expect([reply.status, reply.json.status]).toEqual([200, 'scheduled'])
      expect(reply.json.scheduled_at).toBe(time.slice(0, 19).replace('T', ' '))
    }
  })

  test('422 for an empty draft, naming all missing fields as PATCH does', async () => {
    const id = await made('/campaigns', { name: 'Empty' })
    const reply = await verb(id, 'send')
    expect([reply.status, Object.keys(reply.json.errors)]).toEqual([
      422,
      ['sender_id', 'subject', 'html', 'segment_id'],
    ])
    const patched = await ann.patch(`/campaigns/${id}`, { status: 'sending' })
    expect(patched.json.errors).toEqual(reply.json.errors)
    expect(await statusOf(id)).toBe('draft')
  })
})

const CONFLICTS: [string, Status, string][] = [
  ['send', 'sending', 'This campaign is sending. It can only be paused or canceled.'],
  ['send', 'paused', 'This campaign is paused. Resume it instead of sending it.'],
  ['send', 'sent', 'This campaign is sent. Retry its failed recipients, or send a duplicate.'],
  ['send', 'canceled', 'This campaign was canceled while it was sending. Send a duplicate instead.'],
  ['pause', 'draft', 'This campaign has the status draft. Only one with the status sending can be paused.'],
  [
    'pause',
    'scheduled',
    'This campaign has the status scheduled. Only one with the status sending can be paused.',
  ],
  ['pause', 'sent', 'This campaign has the status sent. Only one with the status sending can be paused.'],
  [
    'pause',
    'canceled',
    'This campaign has the status canceled. Only one with the status sending can be paused.',
  ],
  ['resume', 'draft', 'This campaign has the status draft. Only one with the status paused can be resumed.'],
  ['resume', 'sent', 'This campaign has the status sent. Only one with the status paused can be resumed.'],
  [
    'resume',
    'canceled',
    'This campaign has the status canceled. Only one with the status paused can be resumed.',
  ],
  ['cancel', 'sent', 'This campaign is sent and cannot be canceled.'],
  [
    'retry',
    'draft',
    'This campaign has the status draft. Only one with the status paused or sent can be retried.',
  ],
  [
    'retry',
    'sending',
    'This campaign has the status sending. Only one with the status paused or sent can be retried.',
  ],
  [
    'retry',
    'canceled',
    'This campaign has the status canceled. Only one with the status paused or sent can be retried.',
  ],
  ['retry', 'sent', 'No recipient of this campaign has failed, so there is nothing to retry.'],
]

test.each(CONFLICTS)('409 for %s of one that is %s; it stays unchanged', async (name, status, message) => {
  const id = await givenCampaign(status)
  const before = (await ann.get(`/campaigns/${id}`)).text
  const reply = await verb(id, name)
  expect([reply.status, reply.json.name, reply.json.message]).toEqual([409, 'conflict', message])
  expect((await ann.get(`/campaigns/${id}`)).text).toBe(before)
})

describe('pause, resume, cancel', () => {
  const MOVES: [string, Status, Status][] = [
    ['pause', 'sending', 'paused'],
    ['resume', 'paused', 'sending'],
    ['cancel', 'draft', 'canceled'],
    ['cancel', 'scheduled', 'canceled'],
    ['cancel', 'sending', 'canceled'],
    ['cancel', 'paused', 'canceled'],
  ]
  test.each(MOVES)('200 for %s of one that is %s: it is %s, and stays so', async (name, from, to) => {
    const id = await givenCampaign(from)
    const reply = await verb(id, name)
    expect([reply.status, reply.json.status], reply.text).toEqual([200, to])
    const again = await verb(id.toUpperCase(), name)
    expect([again.status, again.json]).toEqual([200, reply.json])
  })

  test('200 for a pause of one that Sendwright paused: its reason stays', async () => {
    const id = await givenCampaign('paused')
    await api.db.query(`update campaign set paused_reason = 'quota' where id = $1`, [id])
    expect((await verb(id, 'pause')).json).toMatchObject({ status: 'paused', paused_reason: 'quota' })
  })

  test('200 for a resume with new content, even if its segment was deleted after the audience was read', async () => {
    const segmentId = await made('/segments', { name: 'S' })
    const id = await givenDraft({ list_id: null, segment_id: segmentId })
    await verb(id, 'send')
    await verb(id, 'pause')
    await ann.patch(`/campaigns/${id}`, { subject: 'New' })
    expect((await ann.delete(`/segments/${segmentId}`)).status).toBe(200)
    expect((await verb(id, 'resume')).json.errors).toEqual({ segment_id: [expect.any(String)] })
    await api.db.query('update campaign set audience_done = true where id = $1', [id])
    expect((await verb(id, 'resume')).json).toMatchObject({ status: 'sending', subject: 'New' })
    const versions = await api.db.query(
      'select subject from campaign_version where campaign_id = $1 order by version',
      [id],
    )
    expect(versions).toEqual([{ subject: 'Hi' }, { subject: 'New' }])
  })
})

describe('duplicate', () => {
  test.each(['draft', 'sent', 'canceled'] as const)(
    '201 for one that is %s: a draft of its own',
    async (status) => {
      const id = await givenCampaign(status)
      const { status: code, json } = await verb(id, 'duplicate')
      expect(code).toBe(201)
      expect(json).toMatchObject({ ...READY(), name: 'Copy of Spring', status: 'draft', scheduled_at: null })
      expect(json).toMatchObject({ started_at: null, ended_at: null, template_id: null, segment_id: null })
      expect(json.id).not.toBe(id)
      expect((await ann.get(`/campaigns/${json.id}`)).json).toEqual(json)
    },
  )

  test('201 with a name cut to its limit, and without a list that was deleted', async () => {
    const gone = await made('/lists', { name: 'Gone' })
    const id = await givenDraft({ name: `${'𝕏'.repeat(127)}x`, list_id: gone })
    await ann.delete(`/lists/${gone}`)
    const { json } = await verb(id, 'duplicate')
    expect(json).toMatchObject({ name: `Copy of ${'𝕏'.repeat(127)}x`, list_id: null })
    const again = await verb(await givenDraft({ name: 'y'.repeat(255) }), 'duplicate')
    expect(again.json.name).toBe(`Copy of ${'y'.repeat(247)}`)
  })
})

describe('retry', () => {
  test.each(['sent', 'paused'] as const)(
    '200 for one that is %s: those that failed wait again',
    async (status) => {
      const id = await givenCampaign(status)
      const failed = await givenRecipient(id, 'failed', 'The template variable X is required.')
      const others = [await givenRecipient(id, 'skipped', 'Gone.'), await givenRecipient(id, 'accepted')]
      const reply = await verb(id, 'retry')
      expect([reply.status, reply.json]).toEqual([
        200,
        { object: 'campaign_retry', campaign_id: id, count: 1 },
      ])
      const { json } = await ann.get(`/campaigns/${id}`)
      expect(json).toMatchObject({
        status: 'sending',
        ended_at: null,
        recipients: { waiting: 1, accepted: 1, skipped: 1, failed: 0 },
      })
      const { data } = (await ann.get(`/campaigns/${id}/recipients?state=waiting`)).json
      expect(data).toMatchObject([{ contact_id: failed, reason: null, email_id: null }])
      expect(others).not.toContain(failed)
      expect((await verb(id, 'retry')).status).toBe(409)
    },
  )
})

describe('recipients', () => {
  test('200 with pages, newest contact first, also by state', async () => {
    const id = await givenCampaign('sent')
    const ids = [
      await givenRecipient(id, 'accepted'),
      await givenRecipient(id, 'failed', '=cmd()'),
      await givenRecipient(id, 'waiting'),
    ].reverse()
    const list = async (query: string) => {
      const { status, json } = await ann.get(`/campaigns/${id.toUpperCase()}/recipients${query}`)
      expect(status).toBe(200)
      return [json.data.map((one: { id: string }) => one.id), json.meta.total, json.has_more]
    }
    expect(await list('')).toEqual([ids, 3, false])
    expect(await list('?limit=2')).toEqual([ids.slice(0, 2), 3, true])
    expect(await list(`?limit=2&after=${ids[1]}`)).toEqual([ids.slice(2), 3, false])
    expect(await list(`?before=${ids[1]}`)).toEqual([ids.slice(0, 1), 3, false])
    expect(await list('?state=failed')).toEqual([[ids[1]], 1, false])
    expect(await list('?state=skipped')).toEqual([[], 0, false])
    expect((await ann.get(`/campaigns/${id}/recipients?state=frob`)).status).toBe(422)
    await ann.delete(`/contacts/${ids[1]}`)
    const { data } = (await ann.get(`/campaigns/${id}/recipients?state=failed`)).json
    expect(data).toEqual([
      {
        object: 'campaign_recipient',
        id: ids[1],
        contact_id: ids[1],
        email: null,
        state: 'failed',
        reason: '=cmd()',
        email_id: null,
        email_status: null,
        updated_at: expect.stringMatching(/^\d{4}-/),
      },
    ])
  })

  test('200 with a CSV file of all pages, in which nothing is a formula', async () => {
    const id = await givenCampaign('sent')
    const contactId = await givenRecipient(id, 'failed', '=cmd()')
    await api.db.query(
      `insert into campaign_recipient (team_id, campaign_id, contact_id, state, updated_at)
       select $1, $2, gen_random_uuid(), 'skipped', now()
       from generate_series(1, 1200)`,
      [ann.id, id],
    )
    const reply = await ann.get(`/campaigns/${id}/recipients/export`)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="recipients-[\d-]+\.csv"$/,
    )
    const lines = reply.text.split('\r\n')
    expect(lines[0]).toBe('contact_id,email,state,reason,email_id,email_status,updated_at')
    expect(new Set(lines).size).toBe(1203)
    expect(lines.find((line) => line.startsWith(contactId))).toMatch(/@x\.test,failed,'=cmd\(\),,,\d{4}-/)
    const failed = await ann.get(`/campaigns/${id}/recipients/export?state=failed`)
    expect(failed.text.split('\r\n')).toHaveLength(3)
  })
})

describe('isolation', () => {
  const CALLS = ['send', 'pause', 'resume', 'cancel', 'duplicate', 'retry']
  test.each([...CALLS, 'recipients', 'recipients/export'])(
    '404 for %s of another team’s campaign, byte for byte as for an unknown one',
    async (name) => {
      const id = await givenCampaign('paused')
      await givenRecipient(id, 'failed')
      const ask = (wanted: string) => {
        const path = `/campaigns/${wanted}/${name}`
        return CALLS.includes(name) ? bob.post(path) : bob.get(path)
      }
      const [foreign, none, malformed] = [await ask(id), await ask(newId()), await ask('no-id')]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(none.text)
      expect(malformed.text).toBe(none.text)
      expect(await statusOf(id)).toBe('paused')
    },
  )
})

test('each verb has its own entry in the audit log', async () => {
  const id = await givenCampaign('draft')
  for (const name of ['send', 'pause', 'resume', 'cancel', 'duplicate']) await verb(id, name)
  await end(id)
  await givenRecipient(id, 'failed')
  await verb(id, 'retry')
  const rows = await api.db.query<{ action: string }>(
    'select action from audit where team_id = $1 and target_id = $2 order by id',
    [ann.id, id],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'campaigns.create',
    ...['send', 'pause', 'resume', 'cancel', 'duplicate', 'retry'].map((name) => `campaigns.${name}`),
  ])
})
