import { simpleParser } from 'mailparser'
import { expect } from 'vitest'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

const PERSON =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'

/** A segment with three contacts, one of whom is suppressed. */
async function givenSegment({ resend, sender }: World): Promise<string> {
  const { id } = await good(resend.segments.create({ name: 'Readers' }))
  for (const name of ['ann', 'bob', 'eve']) {
    const contact = await good(
      resend.contacts.create({
        email: `${name}@receiver.test`,
        ...(name === 'ann' && { firstName: 'Ann' }),
      }),
    )
    await good(resend.contacts.segments.add({ contactId: contact.id, segmentId: id }))
  }
  const reply = await sender.post('/suppressions', { email: 'eve@receiver.test' })
  expect(reply.status, reply.text).toBe(201)
  return id
}

const broadcastOf = ({ sender }: World, segmentId: string) => ({
  name: 'Spring',
  segmentId,
  from: `Acme <news@${sender.domain}>`,
  subject: 'Hello {{{FIRST_NAME|there}}}',
  html: '<p>Hi {{{FIRST_NAME|you}}}, <a href="https://shop.test/spring">look</a>, or <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">leave</a></p>',
  previewText: 'Everything at half the price',
  replyTo: 'help@receiver.test',
})

/** Drafts, schedules, cancels, duplicates and removes broadcasts. */
export async function keepsBroadcasts(world: World): Promise<void> {
  const { broadcasts } = world.resend
  const segmentId = await givenSegment(world)
  const input = broadcastOf(world, segmentId)
  const created = await good(broadcasts.create(input))
  expect(created).toMatchObject({ id: UUID })
  const { id } = created
  expect(await good(broadcasts.update(id, { name: 'Summer', subject: 'Summer' }))).toMatchObject({ id })
  expect(await good(broadcasts.get(id))).toMatchObject({
    object: 'broadcast',
    id,
    name: 'Summer',
    segment_id: segmentId,
    audience_id: segmentId,
    from: input.from,
    subject: 'Summer',
    reply_to: ['help@receiver.test'],
    preview_text: 'Everything at half the price',
    status: 'draft',
    created_at: TIME,
    scheduled_at: null,
    sent_at: null,
    html: input.html,
    text: null,
  })
  expect(await good(broadcasts.send(id, { scheduledAt: 'in 2 hours' }))).toMatchObject({ id })
  expect(await good(broadcasts.get(id))).toMatchObject({ status: 'queued', scheduled_at: TIME })
  expect(await good(broadcasts.cancel(id))).toEqual({ object: 'broadcast', id })
  expect(await good(broadcasts.get(id))).toMatchObject({ status: 'draft' })
  const copy = await good(broadcasts.duplicate(id))
  expect(await good(broadcasts.get(copy.id))).toMatchObject({ name: 'Copy of Summer', status: 'draft' })
  const later = await good(broadcasts.create({ ...input, send: true, scheduledAt: 'tomorrow at 9am' }))
  expect(await good(broadcasts.get(later.id))).toMatchObject({ status: 'queued', scheduled_at: TIME })
  await expectPages([later.id, copy.id, id], (page) => broadcasts.list(page as object))
  for (const gone of [later.id, copy.id, id]) {
    expect(await good(broadcasts.remove(gone))).toEqual({ object: 'broadcast', id: gone, deleted: true })
  }

  const toTopic = await broadcasts.create({ ...input, topicId: segmentId })
  expect(toTopic.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  const fromElsewhere = await broadcasts.create({ ...input, from: 'news@elsewhere.test' })
  expect(fromElsewhere.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
}

/** Sends a broadcast, and reads who got it and who followed its link. */
export async function sendsBroadcasts(world: World): Promise<void> {
  const { resend, sender } = world
  const { broadcasts } = resend
  await sender.patch(`/domains/${sender.domainId}`, { open_tracking: true, click_tracking: true })
  const segmentId = await givenSegment(world)
  const { id } = await good(broadcasts.create({ ...broadcastOf(world, segmentId), send: true }))
  await expect.poll(async () => (await good(broadcasts.get(id))).status).toBe('sent')
  const emailsOf = async (options: Parameters<typeof broadcasts.recipients>[1]) =>
    (await good(broadcasts.recipients(id, options))).data.map(({ email }) => email).sort()
  const reached = ['ann@receiver.test', 'bob@receiver.test']
  expect(await emailsOf({ type: 'sent' })).toEqual(reached)
  expect(await emailsOf({ type: 'delivered' })).toEqual(reached)
  expect(await emailsOf({ type: 'delivered', email: 'Bob@receiver.test' })).toEqual(['bob@receiver.test'])
  expect(await emailsOf({ type: 'suppressed' })).toEqual(['eve@receiver.test'])
  for (const type of ['opened', 'bounced', 'complained', 'unsubscribed'] as const) {
    expect(await emailsOf({ type })).toEqual([])
  }

  await followLink(world, 'Hello Ann')
  await expect
    .poll(async () => (await good(broadcasts.recipients(id, { type: 'clicked' }))).data)
    .toMatchObject([
      {
        contact_id: UUID,
        email: 'ann@receiver.test',
        count: 1,
        clicked_links: [{ url: 'https://shop.test/spring', clicks: 1 }],
      },
    ])
  await expect
    .poll(async () => (await good(broadcasts.clickedLinks(id))).data)
    .toMatchObject([{ url: 'https://shop.test/spring', clicks: 1, unique_clicks: 1 }])
}

/** Follows the tracked link of an email as a person would, some time after it arrived. */
async function followLink({ sender, url, db }: World, subject: string): Promise<void> {
  const { data } = (await sender.get('/emails')).json
  const email = data.find((one: { subject: string }) => one.subject === subject)
  await db.query(
    `update delivery set updated_at = updated_at - interval '1 minute' where team_id = $1 and email_id = $2`,
    [sender.id, email.id],
  )
  const { html } = await simpleParser((await sender.get(`/emails/${email.id}/raw`)).text)
  const { pathname } = new URL(
    /https?:\/\/[^"]+\/t\/c\/[^"]+/.exec(String(html))?.[0] ?? 'https://none.test/',
  )
  const reply = await fetch(url + pathname, { redirect: 'manual', headers: { 'user-agent': PERSON } })
  expect(reply.headers.get('location')).toBe('https://shop.test/spring')
}
