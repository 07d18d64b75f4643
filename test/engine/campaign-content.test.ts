import { simpleParser } from 'mailparser'
import { beforeAll, describe, expect, test } from 'vitest'
import { PLANS } from '../../src/access/plans.ts'
import { type CampaignWorld, givenReaders } from '../support/campaigns.ts'
import { made } from '../support/client.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('direct')
})

type Fields = Record<string, unknown>

/** The replies to the sender go to an address of its own. */
const given = (contacts: readonly Fields[]) =>
  givenReaders(service, contacts, { sender: { reply_to: 'sender@replies.test' } })

const givenCampaign = ({ ann, senderId, listId }: CampaignWorld, fields: Fields) =>
  made(ann, '/campaigns', { name: 'Spring', sender_id: senderId, list_id: listId, ...fields })

async function send({ ann }: CampaignWorld, id: string): Promise<void> {
  expect((await ann.patch(`/campaigns/${id}`, { status: 'sending' })).status).toBe(200)
  await expect.poll(async () => (await ann.get(`/campaigns/${id}`)).json.status).toBe('sent')
}

/** Waits for the message to an address, and reads it as a mail client does. */
async function received(address: string) {
  const find = () => service.mx.messages.find((message) => message.to[0] === address)
  await expect.poll(find).toBeDefined()
  const mail = await simpleParser(find()?.raw ?? '')
  return {
    subject: mail.subject,
    replyTo: mail.replyTo?.text,
    html: String(mail.html),
    text: mail.text,
    mail,
  }
}

/** Returns what a client shows behind the subject: the beginning of the html, with white space and what has no width. */
function previewOf(html: string): string {
  const body = html.slice(html.indexOf('<body'))
  return body.replaceAll(/<[^>]*>/g, '')
}

const OWN = {
  subject: 'Hello {{{FIRST_NAME|there}}}',
  html: '<html><head><title>Spring</title></head><body class="a"><p>Hi</p></body></html>',
}

describe('a campaign', () => {
  test('with a preview text for each contact, hidden before the content, and its own reply address', async () => {
    const world = await given([{ first_name: 'Zoe & <Co>' }, {}])
    const content = {
      ...OWN,
      preview_text: 'Now < later, {{{FIRST_NAME|you & me}}}',
      reply_to: 'Help <help@replies.test>',
    }
    await send(world, await givenCampaign(world, content))
    const first = await received(`c0@${world.to}`)
    expect(first.replyTo).toBe('"Help" <help@replies.test>')
    expect(first.html).toMatch(
      /<body class="a"><div style="display:none;[^"]*">Now &lt; later, Zoe &amp; &lt;Co&gt;(&#847;&zwnj;&nbsp;){140}<\/div><p>Hi<\/p>/,
    )
    expect(first.text?.trim()).toBe('Hi')
    const { html } = await received(`c1@${world.to}`)
    expect(previewOf(html)).toMatch(/^Now &lt; later, you &amp; me&#847;/)
  })

  test('with a template, whose html gets the preview text too, and whose reply address it overrides', async () => {
    const world = await given([{}])
    const template = await made(world.ann, '/templates', {
      name: 'T',
      sender_id: world.senderId,
      subject: 'S',
      html_content: '<p>{{GREETING}}</p>',
      reply_to: 'template@replies.test',
      status: 'published',
      variables: [{ key: 'GREETING', type: 'string', fallback_value: 'Good day' }],
    })
    const content = { template_id: template, preview_text: '{{GREETING}} from us' }
    const id = await givenCampaign(world, content)
    await send(world, id)
    const first = await received(`c0@${world.to}`)
    expect(first.replyTo).toBe('template@replies.test')
    expect(first.html).toMatch(
      /^<div style="[^"]*">Good day from us(&#847;&zwnj;&nbsp;)+<\/div><p>Good day<\/p>/,
    )
    service.mx.messages.splice(0)
    await send(world, await givenCampaign(world, { ...content, reply_to: 'own@replies.test' }))
    expect((await received(`c0@${world.to}`)).replyTo).toBe('own@replies.test')
  })

  test('with a new preview text and reply address for those who still wait when it is resumed', async () => {
    const world = await given([{}])
    const id = await givenCampaign(world, { ...OWN, preview_text: 'Old' })
    await service.db.query('update team set sending_paused_at = now() where id = $1', [world.ann.id])
    await world.ann.patch(`/campaigns/${id}`, { status: 'sending' })
    await expect.poll(async () => (await world.ann.get(`/campaigns/${id}`)).json.status).toBe('paused')
    await service.db.query('update team set sending_paused_at = null where id = $1', [world.ann.id])
    await world.ann.patch(`/campaigns/${id}`, { preview_text: 'New', reply_to: 'new@replies.test' })
    await send(world, id)
    const { html, replyTo } = await received(`c0@${world.to}`)
    expect([previewOf(html).slice(0, 3), replyTo]).toEqual(['New', 'new@replies.test'])
  })
})

describe('a test of a campaign', () => {
  const TESTED = {
    ...OWN,
    html: '<body><p>Dear {{FIRST_NAME}}</p><a href="{{{UNSUBSCRIBE_URL}}}">leave</a></body>',
    preview_text: 'For {{EMAIL}}',
  }

  test('with the values of a contact or fallbacks, links of nobody, and a refusal by address', async () => {
    const world = await given([{ first_name: 'Zoe', unsubscribed: true }, {}])
    const { ann, to } = world
    const id = await givenCampaign(world, { ...TESTED, reply_to: 'help@replies.test' })
    await ann.post('/suppressions', { email: `gone@${to}` })
    const addresses = [`Zoe Q <C0@${to}>`, `c1@${to}`, `gone@${to}`, `c0@${to}`]
    const reply = await ann.post(`/campaigns/${id}/test`, { to: addresses })
    expect(reply.status, reply.text).toBe(202)
    expect(reply.json).toEqual({
      object: 'campaign_test',
      data: [
        { to: `Zoe Q <C0@${to}>`, id: expect.any(String), error: null },
        { to: `c1@${to}`, id: null, error: 'The template variable FIRST_NAME is required.' },
        { to: `gone@${to}`, id: null, error: expect.stringMatching(/FIRST_NAME/) },
      ],
    })
    const { subject, html, replyTo, mail } = await received(`C0@${to}`)
    expect([subject, replyTo]).toEqual(['[Test] Hello Zoe', 'help@replies.test'])
    expect(html).toContain('<a href="https://api.test/unsubscribe/test">leave</a>')
    expect(previewOf(html)).toMatch(/^For C0@/)
    const fields = mail.headerLines.filter(({ key }) => key.startsWith('list-unsubscribe'))
    expect(fields.map(({ line }) => line.replaceAll(/\s+/g, ' '))).toEqual([
      'List-Unsubscribe: <https://api.test/unsubscribe/test>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ])
    const { recipients, status } = (await ann.get(`/campaigns/${id}`)).json
    expect([status, recipients.accepted]).toEqual(['draft', 0])
  })

  test('refused for suppressed addresses and beyond the quota, which it uses', async () => {
    const world = await given([])
    const { ann, to } = world
    const id = await givenCampaign(world, { ...TESTED, html: '<p>Hi</p>' })
    await ann.post('/suppressions', { email: `gone@${to}` })
    await service.db.query("update team set plan = 'free' where id = $1", [ann.id])
    await service.db.query(
      `insert into usage (team_id, month, month_recipients, day, day_recipients, emails)
       values ($1, date_trunc('month', now() at time zone 'UTC')::date, 0, (now() at time zone 'UTC')::date, $2, 0)
       on conflict (team_id, month) do update set day = excluded.day, day_recipients = excluded.day_recipients`,
      [ann.id, (PLANS.free.dayRecipientsMax ?? 0) - 2],
    )
    const addresses = ['gone', 'a', 'b', 'c'].map((name) => `${name}@${to}`)
    const { data } = (await ann.post(`/campaigns/${id}/test`, { to: addresses })).json
    expect(data.map(({ error }: { error: string | null }) => error)).toEqual([
      'The recipient is suppressed or has unsubscribed.',
      null,
      null,
      expect.stringMatching(/quota|limit/i),
    ])
    const used = 'select day_recipients::int4 as count from usage where team_id = $1'
    expect(await service.db.query(used, [ann.id])).toEqual([{ count: PLANS.free.dayRecipientsMax }])
    await Promise.all([received(`a@${to}`), received(`b@${to}`)])
  })

  test('422 for addresses that are none, too many, or content that is not complete; 404 for others', async () => {
    const world = await given([])
    const { ann } = world
    const id = await givenCampaign(world, TESTED)
    const errorsOf = async (path: string, to: unknown) => {
      const { status, json } = await ann.post(`/campaigns/${path}/test`, { to })
      return [status, json.errors]
    }
    expect(await errorsOf(id, ['a@b.test', 'nobody'])).toEqual([
      422,
      { 'to.1': ['The to.1 field must be a valid email address.'] },
    ])
    expect(
      (
        await errorsOf(
          id,
          Array.from({ length: 11 }, (_, no) => `a${no}@b.test`),
        )
      )[0],
    ).toBe(422)
    expect((await errorsOf(id, []))[0]).toBe(422)
    const empty = await made(ann, '/campaigns', { name: 'Empty' })
    expect(await errorsOf(empty, ['a@b.test'])).toEqual([
      422,
      {
        sender_id: ['The sender_id field is required.'],
        subject: ['The subject field is required when template_id is not present.'],
        html: ['The html field is required when text and template_id are not present.'],
      },
    ])
    const other = await service.givenTeam()
    expect((await other.post(`/campaigns/${id}/test`, { to: ['a@b.test'] })).status).toBe(404)
  })

  test('whose link opens a page that says so, and changes nothing when it is posted', async () => {
    const before = await service.db.query('select count(*) from unsubscription')
    const url = `${service.url}/unsubscribe/test`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const oneClick = { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' }
    for (const [path, init] of [
      [url, {}],
      [url, oneClick],
      [`${url}/undo`, { method: 'POST' }],
    ] as const) {
      const reply = await fetch(path, init)
      expect(reply.status).toBe(200)
      const page = await reply.text()
      expect(page).toContain('This is a test')
      expect(page).not.toContain('<form')
    }
    expect(await service.db.query('select count(*) from unsubscription')).toEqual(before)
  })
})
