import type { AutomationStep } from 'resend'
import { expect } from 'vitest'
import { made } from '../../support/client.ts'
import { good } from '../../support/resend.ts'
import { expectPages, TIME, UUID, type World } from './world.ts'

async function givenTemplate({ sender }: World): Promise<string> {
  const from = { name: 'Acme', username: 'auto', domain_id: sender.domainId }
  const senderId = await made(sender, '/senders', from)
  const template = {
    name: 'Trial',
    sender_id: senderId,
    subject: 'Hi {{NAME}}',
    text_content: 'Hi',
    status: 'published',
  }
  return made(sender, '/templates', template)
}

/** Each type of step of the SDK. */
const stepsOf = (templateId: string, segmentId: string): AutomationStep[] => [
  { key: 'start', type: 'trigger', config: { eventName: 'user.created' } },
  {
    key: 'mail',
    type: 'send_email',
    config: { template: { id: templateId, variables: { NAME: { var: 'event.name' } } }, subject: 'Hello' },
  },
  {
    key: 'if',
    type: 'condition',
    config: {
      type: 'and',
      rules: [
        { type: 'rule', field: 'event.plan', operator: 'eq', value: 'pro' },
        { type: 'rule', field: 'contact.first_name', operator: 'is_empty' },
      ],
    },
  },
  {
    key: 'update',
    type: 'contact_update',
    config: { firstName: { var: 'event.name' }, unsubscribed: false },
  },
  { key: 'segment', type: 'add_to_segment', config: { segmentId } },
  { key: 'wait', type: 'wait_for_event', config: { eventName: 'user.paid', timeout: '3 days' } },
  { key: 'pause', type: 'delay', config: { duration: '1 day' } },
  { key: 'gone', type: 'contact_delete', config: {} },
]
const CONNECTIONS = [
  { from: 'start', to: 'mail' },
  { from: 'mail', to: 'if' },
  { from: 'if', to: 'update', type: 'condition_met' as const },
  { from: 'if', to: 'gone', type: 'condition_not_met' as const },
  { from: 'update', to: 'segment' },
  { from: 'segment', to: 'wait' },
  { from: 'wait', to: 'pause', type: 'event_received' as const },
  { from: 'wait', to: 'gone', type: 'timeout' as const },
]

/** Builds an automation of every type of step, lets a contact go through it, and reads its run. */
export async function runsAutomations(world: World): Promise<void> {
  const { automations, events, segments, contacts } = world.resend
  const segment = await good(segments.create({ name: 'Chosen' }))
  const steps = stepsOf(await givenTemplate(world), segment.id)
  const created = await good(
    automations.create({ name: 'Trial', status: 'enabled', steps, connections: CONNECTIONS }),
  )
  expect(created).toMatchObject({ object: 'automation', id: UUID })
  const { id } = created
  expect(await good(automations.get(id))).toMatchObject({
    object: 'automation',
    name: 'Trial',
    status: 'enabled',
    steps: steps.map(({ key, type }) => ({ key, type })),
    connections: CONNECTIONS,
    created_at: TIME,
  })

  const payload = { name: 'Ann', plan: 'pro' }
  const sent = await good(events.send({ event: 'user.created', email: 'ann@receiver.test', payload }))
  expect(sent).toEqual({ object: 'event', event: 'user.created' })
  const stepOf = async () => {
    const [run] = (await good(automations.runs.list({ automationId: id, status: ['running', 'completed'] })))
      .data
    return run === undefined ? null : good(automations.runs.get({ automationId: id, runId: run.id }))
  }
  await expect.poll(async () => (await stepOf())?.steps.at(-1)?.key).toBe('wait')
  const contact = await good(contacts.get('ann@receiver.test'))
  expect(contact.first_name).toBe('Ann')
  await good(events.send({ event: 'user.paid', contactId: contact.id }))
  await expect.poll(async () => (await stepOf())?.steps.at(-1)?.key).toBe('pause')
  const run = await stepOf()
  expect(run).toMatchObject({
    object: 'automation_run',
    status: 'running',
    started_at: TIME,
    completed_at: null,
  })
  expect(run?.steps.map(({ key, status }) => `${key} ${status}`)).toEqual([
    'start completed',
    'mail completed',
    'if completed',
    'update completed',
    'segment completed',
    'wait completed',
    'pause running',
  ])
  expect(await good(automations.stop(id))).toMatchObject({ object: 'automation', id, status: 'disabled' })
}

/** Changes, lists, duplicates and removes automations. */
export async function keepsAutomations({ resend }: World): Promise<void> {
  const { automations } = resend
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    ids.unshift((await good(automations.create({ name, steps: [], connections: [] }))).id)
  }
  await expectPages(ids, (page) => automations.list(page as object))
  const [id = ''] = ids
  expect(await good(automations.update(id, { name: 'Hello' }))).toMatchObject({ object: 'automation', id })
  const steps = stepsOf('', '').filter(({ type }) => type === 'trigger' || type === 'delay')
  const connections = [{ from: 'start', to: 'pause' }]
  await good(automations.update(id, { steps, connections, status: 'enabled' }))
  expect((await good(automations.list({ status: 'enabled' }))).data).toMatchObject([
    { id, name: 'Hello', status: 'enabled', created_at: TIME, updated_at: TIME },
  ])
  const copy = await good(automations.duplicate(id))
  // A draft does not run either.
  expect(await good(automations.get(copy.id))).toMatchObject({ name: 'Copy of Hello', status: 'disabled' })
  const incomplete = await automations.update(copy.id, { status: 'enabled', connections: [] })
  expect(incomplete.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  for (const gone of [...ids, copy.id]) {
    expect(await good(automations.remove(gone))).toEqual({ object: 'automation', id: gone, deleted: true })
  }
}

/** Defines events, and lists them where other clients read the feed. */
export async function definesEvents({ resend, sender }: World): Promise<void> {
  const { events } = resend
  const ids: string[] = []
  for (const name of ['order.paid', 'order.shipped', 'order/lost?']) {
    ids.unshift((await good(events.create({ name, schema: { order: 'number' } }))).id)
  }
  await expectPages(ids, (page) => events.list(page as object))
  const feed = (await sender.get('/events?types=domain.created')).json
  expect(feed.data).toMatchObject([{ object: 'event', type: 'domain.created' }])
  expect(await good(events.get('order/lost?'))).toMatchObject({
    object: 'event',
    id: ids[0],
    name: 'order/lost?',
  })
  expect(
    await good(events.update('order.paid', { schema: { order: 'number', paid_at: 'date' } })),
  ).toMatchObject({
    object: 'event',
    id: ids[2],
  })
  const wrong = await events.send({
    event: 'order.paid',
    email: 'ann@receiver.test',
    payload: { order: 'x' },
  })
  expect(wrong.error).toMatchObject({ name: 'validation_error', statusCode: 422 })
  expect(await good(events.remove(ids[1] as string))).toMatchObject({
    object: 'event',
    id: ids[1],
    deleted: true,
  })
  expect(await good(events.remove('order.paid'))).toMatchObject({
    object: 'event',
    id: ids[2],
    deleted: true,
  })
  expect((await good(events.list())).data).toMatchObject([{ id: ids[0], schema: { order: 'number' } }])
}
