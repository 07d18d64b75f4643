import { expect } from 'vitest'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

export async function keepsTemplates({ resend, sender }: World): Promise<void> {
  const { templates } = resend
  const from = `Acme <orders@${sender.domain}>`
  const created = await good(
    templates.create({
      name: 'Order',
      from,
      subject: 'Order {{NUMBER}}',
      html: '<p>{{NAME}} {{NUMBER}}</p>',
      alias: 'order',
      replyTo: 'help@receiver.test',
      variables: [
        { key: 'NAME', type: 'string', fallbackValue: 'friend' },
        { key: 'NUMBER', type: 'number' },
      ],
    }),
  )
  const { id } = created
  expect(created).toMatchObject({ object: 'template', id: UUID })
  expect(await good(templates.update('order', { text: 'No. {{NUMBER}}' }))).toMatchObject({
    object: 'template',
    id,
  })
  expect(await good(templates.get('order'))).toMatchObject({
    object: 'template',
    id,
    name: 'Order',
    subject: 'Order {{NUMBER}}',
    html: '<p>{{NAME}} {{NUMBER}}</p>',
    text: 'No. {{NUMBER}}',
    status: 'published',
    alias: 'order',
    from,
    published_at: TIME,
    updated_at: TIME,
  })
  const template = { id: 'order', variables: { NUMBER: 7 } }
  const sent = await good(resend.emails.send({ to: 'ann@receiver.test', template }))
  expect(await good(resend.emails.get(sent.id))).toMatchObject({ subject: 'Order 7' })
  const copy = await good(templates.duplicate(id))
  expect(await good(templates.get(copy.id))).toMatchObject({ status: 'draft', alias: null })
  expect(await good(templates.publish(copy.id))).toMatchObject({ object: 'template', id: copy.id })
  const other = await good(
    templates.create({ name: 'Other', from, subject: 'Other', html: '<p>x</p>' }).publish(),
  )
  expect(other).toMatchObject({ object: 'template', id: UUID })
  await expectPages([other.id, copy.id, id], (page) => templates.list(page as object))
  for (const gone of [other.id, copy.id, id]) {
    expect(await good(templates.remove(gone))).toEqual({ object: 'template', id: gone, deleted: true })
  }
}
