import { expect } from 'vitest'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

const HOUR_MS = 3_600_000

const emailFrom = ({ sender }: World, subject: string) => ({
  from: `Acme <hello@${sender.domain}>`,
  to: ['ann@receiver.test'],
  subject,
  text: 'It works.',
})

export async function sendsOneByOne(world: World): Promise<void> {
  const { resend, sender } = world
  const sent = await good(resend.emails.send(emailFrom(world, 'Sent')))
  expect(sent).toEqual({ id: UUID })
  const created = await good(
    resend.emails.create({
      ...emailFrom(world, 'Created'),
      html: '<p>It works.</p>',
      cc: 'bob@receiver.test',
      replyTo: ['help@receiver.test'],
      tags: [{ name: 'kind', value: 'welcome' }],
      attachments: [{ filename: 'a.txt', content: Buffer.from('a') }],
    }),
  )
  await sender.settled(created.id)
  expect(await good(resend.emails.get(created.id))).toMatchObject({
    object: 'email',
    id: created.id,
    to: ['ann@receiver.test'],
    cc: ['bob@receiver.test'],
    bcc: [],
    reply_to: ['help@receiver.test'],
    tags: [{ name: 'kind', value: 'welcome' }],
    last_event: 'delivered',
    scheduled_at: null,
    created_at: TIME,
  })
  const options = { idempotencyKey: 'once/1' }
  const later = { ...emailFrom(world, 'Later'), scheduledAt: new Date(Date.now() + HOUR_MS).toISOString() }
  const { id } = await good(resend.emails.send(later, options))
  expect(await good(resend.emails.send(later, options))).toEqual({ id })
  const scheduledAt = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  expect(await good(resend.emails.update({ id, scheduledAt }))).toEqual({ object: 'email', id })
  expect(await good(resend.emails.get(id))).toMatchObject({ last_event: 'scheduled', scheduled_at: TIME })
  expect(await good(resend.emails.update({ id, scheduledAt: 'in 3 hours' }))).toEqual({ object: 'email', id })
  expect(await good(resend.emails.cancel(id))).toEqual({ object: 'email', id })
  expect(await good(resend.emails.get(id))).toMatchObject({ last_event: 'canceled' })
  await expectPages([id, created.id, sent.id], (page) => resend.emails.list(page as object))
  const metrics = await good(resend.emails.metrics({ startDate: '2026-01-01', endDate: '2026-01-31' }))
  expect(metrics).toMatchObject({ object: 'metrics', totals: { delivered: 0, bounced: 0 } })
}

const PUBLIC = { 'x-robots-tag': 'noindex', 'cross-origin-opener-policy': 'same-origin' }

export async function sharesEmails(world: World): Promise<void> {
  const { resend, sender } = world
  const files = [
    { filename: 'a.txt', content: Buffer.from('first') },
    { filename: 'b.png', content: Buffer.from('second'), contentType: 'image/png', contentId: 'logo' },
  ]
  const email = {
    ...emailFrom(world, 'Shared & <shown>'),
    bcc: 'eve@receiver.test',
    html: '<b>It works.</b>',
  }
  const { id } = await good(resend.emails.send({ ...email, attachments: files }))
  const { data } = await good(resend.emails.attachments.list({ emailId: id }))
  expect(data).toMatchObject([
    { filename: 'a.txt', size: 5, content_disposition: 'attachment', content_id: null },
    {
      filename: 'b.png',
      size: 6,
      content_type: 'image/png',
      content_disposition: 'inline',
      content_id: 'logo',
    },
  ])
  const [first, second] = data
  const rest = await good(resend.emails.attachments.list({ emailId: id, limit: 1, after: first?.id ?? '' }))
  expect([rest.data.map((file) => file.id), rest.has_more]).toEqual([[second?.id], false])
  const one = await good(resend.emails.attachments.get({ emailId: id, id: second?.id ?? '' }))
  expect(one).toMatchObject({ object: 'attachment', id: second?.id, filename: 'b.png' })
  const unknown = await resend.emails.attachments.get({ emailId: id, id })
  expect(unknown.error).toMatchObject({ statusCode: 404, message: 'Not found.' })
  const file = await download(world, one.download_url)
  expect([await file.text(), file.headers.get('x-robots-tag')]).toEqual(['second', 'noindex'])
  const other = await good(resend.emails.attachments.get({ emailId: id, id: first?.id ?? '' }))
  expect(other).toMatchObject({ filename: 'a.txt', content_id: null })

  const shared = await good(resend.emails.share(id, { expiresIn: '2 hours' }))
  expect(shared).toMatchObject({ object: 'email', id })
  const page = await download(world, shared.url)
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  expect(Object.fromEntries(page.headers)).toMatchObject(PUBLIC)
  const text = await page.text()
  expect(text).toContain('Shared &#38; &#60;shown&#62;')
  expect(text).toContain('&#60;b&#62;It works.&#60;/b&#62;')
  expect(text).not.toContain('eve@receiver.test')
  const tooLong = await resend.emails.share(id, { expiresIn: '31 days' })
  expect(tooLong.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  const audit = await sender.get('/audit?action=emails.share')
  expect(audit.json.data).toMatchObject([{ target_id: id }])

  expect(
    (
      await download(
        world,
        shared.url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      )
    ).status,
  ).toBe(404)
  const ended = await good(resend.emails.share(id, { expiresIn: '1 second' }))
  await expect.poll(async () => (await download(world, ended.url)).status).toBe(410)
}

/** Opens a public link, as somebody without a key. */
function download({ url }: World, link: string): Promise<Response> {
  return fetch(link.replace('https://api.test', url))
}

export async function sendsInBatches(world: World): Promise<void> {
  const { resend } = world
  const emails = [emailFrom(world, 'One'), emailFrom(world, 'Two')]
  const strict = await good(resend.batch.send(emails, { idempotencyKey: 'batch/1' }))
  expect(strict).toEqual({ data: [{ id: UUID }, { id: UUID }] })
  expect(await good(resend.batch.send(emails, { idempotencyKey: 'batch/1' }))).toEqual(strict)
  const other = await resend.batch.send(emails.slice(1), { idempotencyKey: 'batch/1' })
  expect(other.error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 })

  const bad = { ...emailFrom(world, 'Three'), from: 'not an address' }
  const refused = await resend.batch.create([...emails, bad])
  expect(refused.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  const mixed = await good(resend.batch.create([bad, ...emails], { batchValidation: 'permissive' }))
  expect(mixed).toEqual({
    data: [{ id: UUID }, { id: UUID }],
    errors: [{ index: 0, message: expect.any(String) }],
  })
  expect(await good(resend.batch.send(emails, { batchValidation: 'permissive' }))).toMatchObject({
    errors: [],
  })
}
