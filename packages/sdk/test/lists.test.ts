import { expect, test } from 'vitest'
import { useServer } from './support/server.ts'

const setup = useServer()

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of list) all.push(each)
  return all
}

test('for await reads every record once, although records are added meanwhile', async () => {
  const { client } = await setup.givenClient()
  const given: string[] = []
  for (let count = 1; count <= 7; count++) {
    given.unshift((await client.lists.create({ name: `List ${count}` }).orThrow()).id)
  }
  const read: string[] = []
  for await (const { id } of client.lists.list({ limit: 2 })) {
    read.push(id)
    await client.lists.create({ name: `Later ${read.length}` }).orThrow()
  }
  expect(read).toEqual(given)
})

test('await reads one page, and requests it once', async () => {
  const { client } = await setup.givenClient()
  await client.lists.create({ name: 'One' }).orThrow()
  await client.lists.create({ name: 'Two' }).orThrow()
  const first = setup.proxy.passed.length
  const list = client.lists.list({ limit: 1 })
  expect(setup.proxy.passed.length).toBe(first)
  const { data } = await list
  expect(data).toMatchObject({ data: [{ name: 'Two' }], has_more: true, meta: { total: 2 } })
  expect(await list.orThrow()).toBe(data)
  expect(setup.proxy.passed.length).toBe(first + 1)
})

test('backwards with before, from a page number, by pages, and with a filter', async () => {
  const { client } = await setup.givenClient()
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    ids.unshift((await client.contacts.create({ email: `${name}@receiver.test` }).orThrow()).id)
  }
  const backwards = await collect(client.contacts.list({ limit: 2, before: ids[4] as string }).pages())
  expect(backwards.map(({ data }) => data.map(({ id }) => id))).toEqual([
    [ids[2], ids[3]],
    [ids[0], ids[1]],
  ])
  const fromSecond = await collect(client.contacts.list({ limit: 2, page: 2 }))
  expect(fromSecond.map(({ id }) => id)).toEqual(ids.slice(2))
  const filtered = await collect(client.contacts.list({ limit: 1, q: 'c@' }))
  expect(filtered.map(({ id }) => id)).toEqual([ids[2]])
})

test('a loop keeps its filters on every page, also that of the sender', async () => {
  const { client, sender } = await setup.givenClient()
  const send = async (name: string) => {
    const fields = { to: 'b@receiver.test', subject: 'Any', text: 'Any.' }
    return (await client.emails.send({ from: `${name}@${sender.domain}`, ...fields }).orThrow()).id
  }
  const ids = [await send('ann'), await send('bob'), await send('ann')]
  const emails = await collect(client.emails.list({ from: `ann@${sender.domain}`, limit: 1 }))
  expect(emails.map(({ id }) => id)).toEqual([ids[2], ids[0]])
})

test('lists without pages, and events to the newest one', async () => {
  const { client, sender } = await setup.givenClient()
  const id = await sender.send()
  await sender.settled(id)
  expect((await collect(client.emails.attempts(id))).length).toBeGreaterThan(0)
  const events = await collect(client.events.list({ from: 'start', limit: 1, email_id: id }))
  expect(events.map(({ type }) => type)).toEqual(['email.queued', 'email.delivered'])
})

test('records without an id are continued after their name, which others do not have', async () => {
  const { client } = await setup.givenClient()
  const first = setup.proxy.passed.length
  const pages = ['one', 'two'].map((source, index) => {
    const data = [{ object: 'site', name: `mx.a from ${source}`, site: 'mx.a', source }]
    return { status: 200, body: JSON.stringify({ object: 'list', has_more: index === 0, data }) }
  })
  setup.proxy.next(...pages)
  const sites = await collect(client.operator.sites({ limit: 1 }))
  expect(sites.map(({ name }) => name)).toEqual(['mx.a from one', 'mx.a from two'])
  const queries = setup.proxy.passed
    .slice(first)
    .map(({ path }) => new URL(path, 'http://a.test').searchParams)
  expect(queries.map((query) => query.get('after'))).toEqual([null, 'mx.a from one'])
})

test('an error ends the loop', async () => {
  const { client } = await setup.givenClient({ retries: 0 })
  await client.lists.create({ name: 'One' }).orThrow()
  await client.lists.create({ name: 'Two' }).orThrow()
  setup.proxy.next('pass', { status: 500 })
  const read: string[] = []
  const loop = async () => {
    for await (const { name } of client.lists.list({ limit: 1 })) read.push(name)
  }
  await expect(loop()).rejects.toMatchObject({ statusCode: 500 })
  expect(read).toEqual(['Two'])
})
