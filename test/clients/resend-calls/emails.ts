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
  expect(await good(resend.emails.cancel(id))).toEqual({ object: 'email', id })
  expect(await good(resend.emails.get(id))).toMatchObject({ last_event: 'canceled' })
  await expectPages([id, created.id, sent.id], (page) => resend.emails.list(page as object))
  const metrics = await good(resend.emails.metrics({ startDate: '2026-01-01', endDate: '2026-01-31' }))
  expect(metrics).toMatchObject({ object: 'metrics', totals: { delivered: 0, bounced: 0 } })
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
