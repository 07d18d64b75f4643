import { beforeAll, expect, test } from 'vitest'
import { made } from '../support/client.ts'
import { idAt } from '../support/old-weeks.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('direct')
})

type Fields = Record<string, unknown>

async function given() {
  const ann = await service.givenSender({ plan: 'unlimited' })
  const to = service.givenDestination()
  const senderId = await made(ann, '/senders', { name: 'Ann', username: 'ann', domain_id: ann.domainId })
  const list = () => made(ann, '/lists', { name: 'L' })
  const contact = (name: string, ...list_ids: string[]) =>
    made(ann, '/contacts', { email: `${name}@${to}`, first_name: name, list_ids })
  const segment = (value: string) => {
    const conditions = [{ field: 'email', type: 'string', operator: 'contains', value }]
    return made(ann, '/segments', { name: 'S', filters: { groups: [{ match_type: 'all', conditions }] } })
  }
  const campaign = (fields: Fields) =>
    made(ann, '/campaigns', { name: 'C', sender_id: senderId, subject: 'Hello', text: 'Hi', ...fields })
  return { ann, to, list, contact, segment, campaign }
}
type World = Awaited<ReturnType<typeof given>>

const storedOf = ({ to }: World) => service.mx.messages.filter((message) => message.to[0]?.endsWith(`@${to}`))
const namesOf = (world: World) =>
  storedOf(world)
    .map((message) => message.to[0]?.split('@')[0])
    .sort()

async function send(world: World, id: string) {
  const reply = await world.ann.patch(`/campaigns/${id}`, { status: 'sending' })
  expect(reply.status, reply.text).toBe(200)
  const read = async () => (await world.ann.get(`/campaigns/${id}`)).json
  await expect.poll(async () => (await read()).status).toBe('sent')
  return read()
}

test('sent once to everybody in two lists and a segment, without those of a list and a segment', async () => {
  const world = await given()
  const { list, contact, segment, campaign } = world
  const [a, b, out] = [await list(), await list(), await list()]
  await contact('first', a)
  await contact('both', a, b)
  await contact('second', b)
  await contact('named-vip')
  await contact('named-out', out)
  await contact('left', a, out)
  await contact('banned', b)
  await contact('stranger')
  const audience = {
    include: [{ list_id: a }, { list_id: b }, { segment_id: await segment('named') }],
    exclude: [{ list_id: out }, { segment_id: await segment('banned') }],
  }
  const { recipients } = await send(world, await campaign({ audience }))
  expect(recipients).toEqual({ waiting: 0, accepted: 4, skipped: 0, failed: 0 })
  await expect.poll(() => namesOf(world)).toEqual(['both', 'first', 'named-vip', 'second'])
  const scopes = await service.db.query(
    'select distinct unsubscribe_scope as scope from email_content where team_id = $1',
    [world.ann.id],
  )
  expect(scopes).toEqual([{ scope: 'topic:Campaigns' }])
})

test('sent to a list without another, which those who unsubscribe leave', async () => {
  const world = await given()
  const { ann, list, contact, campaign } = world
  const [a, out] = [await list(), await list()]
  await contact('in', a)
  await contact('out', a, out)
  await send(world, await campaign({ list_id: a, audience: undefined }))
  await expect.poll(() => namesOf(world)).toEqual(['in', 'out'])
  await send(world, await campaign({ audience: { include: [{ list_id: a }], exclude: [{ list_id: out }] } }))
  await expect.poll(() => namesOf(world)).toEqual(['in', 'in', 'out'])
  const scopes = await service.db.query(
    'select distinct unsubscribe_scope as scope from email_content where team_id = $1',
    [ann.id],
  )
  expect(scopes).toEqual([{ scope: `list:${a}` }])
})

test('sent to the rest of two lists once one is deleted, with the same to leave', async () => {
  const world = await given()
  const { ann, list, contact, campaign } = world
  const [a, b] = [await list(), await list()]
  await contact('first', a)
  await contact('second', a)
  const audience = { include: [{ list_id: a }, { list_id: b }] }
  const id = await campaign({ audience, rate_per_hour: 1 })
  expect((await ann.post(`/campaigns/${id}/send`)).status).toBe(200)
  await expect.poll(async () => (await ann.get(`/campaigns/${id}`)).json.recipients.accepted).toBe(1)
  expect((await ann.post(`/campaigns/${id}/pause`)).status).toBe(200)
  expect((await ann.delete(`/lists/${b}`)).status).toBe(200)
  expect((await ann.patch(`/campaigns/${id}`, { rate_per_hour: null })).status).toBe(200)
  await send(world, id)
  await expect.poll(() => namesOf(world)).toEqual(['first', 'second'])
  const scopes = await service.db.query(
    'select distinct unsubscribe_scope as scope from email_content where team_id = $1',
    [ann.id],
  )
  expect(scopes).toEqual([{ scope: 'topic:Campaigns' }])
})

test('retried although what it left out was deleted since', async () => {
  const world = await given()
  const { ann, list, contact, campaign } = world
  const [a, out] = [await list(), await list()]
  const contactId = await contact('in', a)
  await contact('out', a, out)
  const audience = { include: [{ list_id: a }], exclude: [{ list_id: out }] }
  const { id, recipients } = await send(world, await campaign({ audience, text: 'Dear {{LAST_NAME}}' }))
  expect(recipients).toMatchObject({ accepted: 0, failed: 1 })
  expect((await ann.delete(`/lists/${out}`)).status).toBe(200)
  await ann.patch(`/contacts/${contactId}`, { last_name: 'Lee' })
  const reply = await ann.post(`/campaigns/${id}/retry`)
  expect(reply.json).toMatchObject({ count: 1 })
  await expect.poll(() => namesOf(world)).toEqual(['in'])
})

test('a contact whose value is missing is not left out by a segment that tests it', async () => {
  const world = await given()
  const { ann, list, contact, campaign, to } = world
  const a = await list()
  await contact('Ann', a)
  await made(ann, '/contacts', { email: `nameless@${to}`, list_ids: [a] })
  const conditions = [{ field: 'first_name', type: 'string', operator: 'equals', value: 'Ann' }]
  const filters = { groups: [{ match_type: 'all', conditions }] }
  const anns = await made(ann, '/segments', { name: 'Anns', filters })
  const audience = { include: [{ list_id: a }], exclude: [{ segment_id: anns }] }
  await send(world, await campaign({ audience }))
  await expect.poll(() => namesOf(world)).toEqual(['nameless'])
})

test('sent to contacts whose ids are of the future, because the clock was set back since', async () => {
  const world = await given()
  const { ann, to, segment, campaign } = world
  await service.db.query(
    `insert into contact (team_id, id, email, unsubscribed, created_at, updated_at)
     values ($1, $2, $3, false, now(), now())`,
    [ann.id, idAt(new Date(Date.now() + 3_600_000)), `ahead@${to}`],
  )
  await send(world, await campaign({ segment_id: await segment('ahead') }))
  await expect.poll(() => namesOf(world)).toEqual(['ahead'])
})
