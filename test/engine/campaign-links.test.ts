import { beforeAll, expect, test } from 'vitest'
import { OTHER_LINKS } from '../../src/metrics/campaigns/link-counts-queries.ts'
import { made } from '../support/client.ts'
import { BROWSER, comeTo, erased } from '../support/personal-data.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('direct')
})

const MACHINE = 'Barracuda Sentinel'
const HTML = ['spring', 'sale', 'me?for={{{FIRST_NAME}}}']
  .map((path) => `<a href="https://shop.test/${path}">link</a>`)
  .join(' ')

interface World {
  ann: Sender
  id: string
  /** Contacts by name. */
  contacts: Map<string, string>
  /** Follows a link in the email to somebody, by its place in the content. */
  follow(name: string, place: 0 | 1 | 2, agent?: string): Promise<void>
  links(query?: string): Promise<{ id: string; url: string | null; clicked: number }[]>
}

/** Sends a campaign with three links to people, one of which is different for each of them. */
async function sentTo(names: readonly string[]): Promise<World> {
  const ann = await service.givenSender()
  await ann.patch(`/domains/${ann.domainId}`, { click_tracking: true })
  const to = service.givenDestination()
  const sender_id = await made(ann, '/senders', { name: 'Ann', username: 'ann', domain_id: ann.domainId })
  const list_id = await made(ann, '/lists', { name: 'Readers' })
  const contacts = new Map<string, string>()
  for (const name of names) {
    const body = { email: `${name}@${to}`, first_name: name, list_ids: [list_id] }
    contacts.set(name, await made(ann, '/contacts', body))
  }
  const content = { subject: 'Hello', html: HTML }
  const id = await made(ann, '/campaigns', { name: 'Spring', sender_id, list_id, ...content })
  expect((await ann.post(`/campaigns/${id}/send`, {})).status).toBe(200)
  await comeTo(async () => (await ann.get(`/campaigns/${id}`)).json.status).toBe('sent')
  // People need a moment to read.
  await service.db.query('update delivery set updated_at = $2 where team_id = $1', [
    ann.id,
    new Date(Date.now() - 60_000),
  ])
  return {
    ann,
    id,
    contacts,
    async follow(name, place, agent = BROWSER) {
      const message = service.mx.messages.find((each) =>
        each.to.some((one) => one.toLowerCase() === `${name}@${to}`.toLowerCase()),
      )
      const text = String(message?.raw).replaceAll('=\r\n', '').replaceAll('=3D', '=')
      const { pathname } = new URL([...text.matchAll(/https:[^"\s]+\/t\/c\/[^"\s]+/g)][place]?.[0] ?? '')
      const reply = await fetch(`${service.url}${pathname}`, {
        redirect: 'manual',
        headers: { 'user-agent': agent },
      })
      expect(reply.status).toBe(302)
    },
    links: async (query = '') => (await ann.get(`/campaigns/${id}/links${query}`)).json.data,
  }
}

const clicks = (clicked: number, clicked_unique: number, clicked_machine: number) => ({
  object: 'campaign_link',
  clicked,
  clicked_unique,
  clicked_machine,
})
const link = (path: string, ...counts: Parameters<typeof clicks>) => ({
  ...clicks(...counts),
  url: `https://shop.test/${path}`,
})

test('counts clicks of people, recipients and machines by link, most recipients first, in pages', async () => {
  const world = await sentTo(['Dora', 'Emil'])
  expect(await world.links()).toEqual([])
  await world.follow('Dora', 1)
  await world.follow('Dora', 1)
  await world.follow('Dora', 0)
  await world.follow('Emil', 0)
  await world.follow('Emil', 2, MACHINE)
  const spring = link('spring', 2, 2, 0)
  const sale = link('sale', 2, 1, 0)
  const own = link('me?for=Emil', 0, 0, 1)
  await comeTo(() => world.links()).toMatchObject([spring, sale, own])
  // Whoever clicks again, later and in another batch, is no second recipient.
  await world.follow('Emil', 0)
  await comeTo(() => world.links()).toMatchObject([{ ...spring, clicked: 3 }, sale, own])

  const first = (await world.ann.get(`/campaigns/${world.id}/links?limit=2`)).json
  expect(first).toMatchObject({ object: 'list', has_more: true, meta: { total: 3 } })
  const next = await world.ann.get(new URL(first.links.next).pathname + new URL(first.links.next).search)
  expect(next.json).toMatchObject({ data: [own], has_more: false })

  const eve = await service.givenTeam()
  expect((await eve.get(`/campaigns/${world.id}/links`)).status).toBe(404)
  expect((await world.ann.delete(`/campaigns/${world.id}`)).status).toBe(200)
  const left = await service.db.query('select 1 from campaign_link where campaign_id = $1', [world.id])
  expect(left).toEqual([])
})

test('counts links beyond the limit as one, at the end', async () => {
  const world = await sentTo(['Dora', 'Emil'])
  await world.follow('Dora', 0)
  await comeTo(() => world.links()).toHaveLength(1)
  await service.db.query(
    `insert into campaign_link (team_id, campaign_id, link_id, url, clicked, clicked_unique, clicked_machine)
     select $1, $2, md5(no::text)::uuid, 'https://shop.test/' || no, 0, 0, 1
     from generate_series(2, 300) as no`,
    [world.ann.id, world.id],
  )
  await world.follow('Dora', 2)
  await world.follow('Emil', 2)
  await world.follow('Emil', 0)
  const lastPage = () => world.links('?limit=100&page=4')
  await comeTo(lastPage).toMatchObject([{ ...clicks(2, 2, 0), id: OTHER_LINKS, url: null }])
  await comeTo(() => world.links()).toMatchObject({ 0: link('spring', 2, 2, 0) })
})

test('keeps the counts of an erased person, but no URL that only they followed', async () => {
  const world = await sentTo(['Dora', 'Emil'])
  await world.follow('Dora', 0)
  await world.follow('Emil', 0)
  await world.follow('Dora', 2)
  await world.follow('Emil', 2)
  const spring = link('spring', 2, 2, 0)
  const emil = link('me?for=Emil', 1, 1, 0)
  await comeTo(() => world.links()).toMatchObject([
    spring,
    { url: expect.stringContaining('for=') },
    { clicked: 1 },
  ])
  await erased(world.ann, world.contacts.get('Dora') ?? '')
  await comeTo(() => world.links()).toMatchObject([
    spring,
    emil,
    { ...clicks(1, 1, 0), id: OTHER_LINKS, url: null },
  ])
})
