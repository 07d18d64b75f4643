import type { Resend } from 'resend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeResend, good, openResend } from '../support/resend.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

/** Templates as programs for Resend's SDK create and use them. */
let sendwright: SharedSendwright
let team: Sender
let resend: Resend

beforeAll(async () => {
  sendwright = await shareSendwright('capture')
  team = await sendwright.givenSender()
  resend = (await openResend(sendwright.url))(team.token)
})
afterAll(closeResend)

test('a template is created, changed, published, copied, listed, used for sending and removed', async () => {
  const { id, object } = await good(
    resend.templates.create({
      name: 'order',
      from: `Acme <orders@${team.domain}>`,
      subject: 'Order {{{NUMBER}}}',
      html: '<p>{{{NAME}}} {{NUMBER}}</p>',
      alias: 'order-paid',
      replyTo: ['help@acme.test'],
      variables: [
        { key: 'NAME', type: 'string', fallbackValue: 'friend' },
        { key: 'NUMBER', type: 'number', fallbackValue: null },
      ],
    }),
  )
  expect(object).toBe('template')
  expect(await good(resend.templates.update(id, { text: 'No. {{{NUMBER}}}', name: 'Order' }))).toMatchObject({
    id,
  })
  expect(await good(resend.templates.publish(id))).toMatchObject({ id, object: 'template' })
  expect(await good(resend.templates.get('order-paid'))).toMatchObject({
    object: 'template',
    id,
    name: 'Order',
    subject: 'Order {{{NUMBER}}}',
    html: '<p>{{{NAME}}} {{NUMBER}}</p>',
    text: 'No. {{{NUMBER}}}',
    status: 'published',
    alias: 'order-paid',
    from: `Acme <orders@${team.domain}>`,
    published_at: expect.any(String),
  })

  const copy = await good(resend.templates.duplicate('order-paid'))
  expect(copy.id).not.toBe(id)
  expect(await good(resend.templates.get(copy.id))).toMatchObject({ status: 'draft', name: 'Copy of Order' })
  expect(await good(resend.templates.duplicate(id).publish())).toMatchObject({ object: 'template' })
  const list = await good(resend.templates.list({ limit: 10 }))
  expect(list).toMatchObject({ object: 'list', has_more: false })
  expect(list.data.at(-1)).toMatchObject({ id, name: 'Order', status: 'published', alias: 'order-paid' })

  const sent = await good(
    resend.emails.send({
      to: 'ann@receiver.test',
      template: { id: 'order-paid', variables: { NUMBER: 7, NAME: '<b>' } },
    }),
  )
  expect((await team.get(`/emails/${sent.id}`)).json).toMatchObject({
    from: `Acme <orders@${team.domain}>`,
    reply_to: ['help@acme.test'],
    subject: 'Order 7',
    html: expect.stringContaining('<p><b> 7</p>'),
    text: expect.stringContaining('No. 7'),
    template: { id, name: 'Order' },
  })
  const draft = await resend.emails.send({ to: 'ann@receiver.test', template: { id: copy.id } })
  expect(draft.error).toMatchObject({ name: 'validation_error', statusCode: 422 })

  expect(await good(resend.templates.remove('order-paid'))).toEqual({ object: 'template', id, deleted: true })
  expect((await resend.templates.get(id)).error).toMatchObject({ name: 'not_found' })
})
