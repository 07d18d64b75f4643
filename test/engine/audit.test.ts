import { beforeAll, describe, expect, test } from 'vitest'
import { API_ROUTES } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route/route.ts'
import type { Sender } from '../support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'
import { bodyFor, makeWorld, type World, withOwnIds } from '../support/world.ts'

let service: SharedSendwright
let ann: Sender

beforeAll(async () => {
  service = await shareSendwright('capture')
  ann = await service.givenSender()
})

interface Entry {
  id: string
  actor: { type: string; id: string | null; name: string | null }
  action: string
  target_id: string | null
  fields: string[]
  request_id: string
}
const entriesOf = async (team: Sender, query = ''): Promise<Entry[]> =>
  (await team.get(`/audit?per_page=100${query}`)).json.data
const newest = async (team: Sender) => (await team.get('/audit?per_page=1')).json.data[0] as Entry

/**
 * Returns whether requests to a route change something of a team. Sending emails and reporting events is excluded, because each
 * email and each event has a record.
 */
function changesTeam({ method, path, permission, limit, changesNothing }: Route<never>): boolean {
  const isOfTeam = permission === 'send' || permission === 'full' || permission === 'member'
  return isOfTeam && method !== 'GET' && limit !== 'send' && !changesNothing && path !== '/events/send'
}

test('every route that changes something of a team has an action, and no other route has one', () => {
  const nameOf = ({ method, path }: Route<never>) => `${method} ${path}`
  const withAction = API_ROUTES.filter(({ action }) => action !== undefined)
  expect(withAction.map(nameOf)).toEqual(API_ROUTES.filter(changesTeam).map(nameOf))
  expect(withAction.filter(({ action = '' }) => !/^[a-z-]+(\.[a-z-]+)+$/.test(action))).toEqual([])
})

test('the handler of every route with an action opens audited transactions', () => {
  const withAction = API_ROUTES.filter(({ action }) => action !== undefined)
  const others = withAction.filter(({ handle }) => !/\baudited\b|\bwriteAudited\(/.test(String(handle)))
  expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

describe('every route that changes something', () => {
  // Routes for API keys; test/threats/roles.test.ts covers those for users only.
  const routes = API_ROUTES.filter(
    (route) => route.action !== undefined && route.upload === undefined && route.permission !== 'member',
  )
  /** Deletions run last, because the other requests need the records. */
  const order = ({ method }: { method: string }) => (method === 'DELETE' ? 1 : 0)
  /** Bodies that no example can contain. */
  const SPECIAL: Readonly<Record<string, (world: World) => unknown>> = {
    '/webhooks/:id/replay': () => ({
      since: '2020-01-01T00:00:00Z',
      until: new Date(Date.now() - 1000).toISOString(),
    }),
    // Each save changes the draft, whatever its revision is.
    '/templates/:id/draft': () => ({ subject: crypto.randomUUID() }),
    '/contacts/:id/lists': ({ lists }) => ({ list_ids: [lists] }),
  }
  let world: World
  let eve: Sender
  beforeAll(async () => {
    eve = await service.givenSender()
    world = await makeWorld(eve, service.url)
  })

  /** Returns the world with another record of the kind that the path names, or another world if that is not enough. */
  async function renewed(path: string): Promise<World> {
    const kind = kindOf(path)
    // The deliveries of a webhook belong to its first one, and the run of an automation too.
    const body = kind === 'webhooks' || /runs/.test(path) ? null : bodyFor(kind, world, eve)
    const made = body === null ? null : await eve.post(`/${kind}`, body)
    return made?.json.id === undefined
      ? makeWorld(eve, service.url)
      : { ...world, [kind]: made.json.id as string }
  }

  /** Pauses the campaign of the world, with a recipient that failed. */
  async function pauseCampaign(): Promise<void> {
    await service.db.query(
      `with paused as (
         update campaign set status = 'paused', paused_reason = 'user' where team_id = $1 and id = $2
       ),
       progress as (
         insert into campaign_progress (team_id, campaign_id, failed)
         values ($1, $2, 1)
       )
       insert into campaign_recipient (team_id, campaign_id, contact_id, state, updated_at)
       values ($1, $2, $3, 'failed', now())`,
      [eve.id, world.campaigns, world.contacts],
    )
  }

  async function failRun(): Promise<void> {
    await service.db.query(
      `update automation_run
       set state = 'ended', outcome = 'failed', due_at = null, ended_at = now()
       where team_id = $1 and id = $2`,
      [eve.id, world.runs],
    )
  }

  for (const route of [...routes].sort((a, b) => order(a) - order(b))) {
    const name = `${route.method} ${route.path}`
    test(`one entry for ${name}, with author, action and time; none when it is rejected`, async () => {
      // Uses separate records, because earlier requests changed the others.
      if (route.method === 'DELETE' || /cancel|replay|test|erase|pause|resume|retry|runs/.test(route.path))
        world = await renewed(route.path)
      if (/^\/campaigns\/:id\/(pause|resume|retry)$/.test(route.path)) await pauseCampaign()
      if (route.path.endsWith('/runs/:runId/retry')) await failRun()
      const path = route.path.replace(/:(\w+)/g, (_, parameter: string) =>
        idFor(route.path, parameter, world),
      )
      const ask = async (to: string) => {
        const body = SPECIAL[route.path]?.(world) ?? goodBody(route, world, eve)
        const method = route.method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
        return method === 'delete' ? eve.delete(to) : eve[method](to, body)
      }
      // A segment with conditions has no members of its own.
      if (path.includes('/segments/'))
        await eve.patch(`/segments/${world.segments}`, { filters: { groups: [] } })
      if (name === 'DELETE /templates/:id/draft') await eve.put(path, { subject: 'Changed' })
      const before = await newest(eve)
      const unknown = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, crypto.randomUUID())
      if (unknown !== path) expect((await ask(unknown)).status).toBe(404)
      expect((await newest(eve)).id).toBe(before.id)

      if (
        /^\/(segments|lists|templates|senders|properties|domains|contact-properties)\/:id$/.test(
          route.path,
        ) &&
        route.method === 'DELETE'
      ) {
        return expect([200, 409]).toContain((await ask(path)).status)
      }
      const reply = await ask(path)
      expect(reply.status, reply.text).toBeLessThan(300)
      const entries = await entriesOf(eve)
      const own = entries.filter(({ request_id: id }) => id === reply.headers.get('x-request-id'))
      expect(own).toHaveLength(1)
      const target = route.path.includes(':id') ? (path.split('/')[2] ?? null) : (reply.json.id ?? null)
      expect(own[0]).toMatchObject({ action: route.action, actor: { type: 'key' }, target_id: target })
    })
  }
})

function idFor(path: string, parameter: string, world: World): string {
  if (parameter === 'version') return '1'
  if (parameter === 'runId') return world.runs ?? ''
  if (parameter === 'listId') return world.lists ?? ''
  if (parameter === 'segmentId') return world.segments ?? ''
  if (parameter === 'deliveryId' || parameter === 'eventId') return world['webhook-deliveries'] ?? ''
  return world[kindOf(path)] ?? ''
}

function kindOf(path: string): string {
  const kind = path.split('/')[1] ?? ''
  return ALIASES[kind] ?? kind
}
/** Path names that are aliases of a kind. */
const ALIASES: Readonly<Record<string, string>> = {
  'contact-properties': 'properties',
  broadcasts: 'campaigns',
}

function goodBody(route: (typeof API_ROUTES)[number], world: World, eve: Sender): unknown {
  if (route.body === undefined) return undefined
  const own =
    route.method === 'POST' && !route.path.includes(':') ? bodyFor(route.path.slice(1), world, eve) : null
  const { examples } = route.body as { examples?: unknown[] }
  return own ?? withOwnIds(examples?.[0] ?? {}, world)
}

test('entries have field names without values, the name of the key and the IP address', async () => {
  const secret = 'a value that nobody should read in a log'
  const { id } = (
    await ann.post('/templates', {
      ...(bodyFor('templates', await makeWorld(ann, service.url), ann) as object),
      html_content: `<p>${secret}</p>`,
      [`${secret}, as a name`]: 1,
    })
  ).json
  const [entry] = await entriesOf(ann, `&target_id=${id}`)
  expect(entry).toMatchObject({ action: 'templates.create', ip_address: '127.0.0.1' })
  expect(entry?.fields).toContain('html_content')
  expect(entry?.actor.name).toEqual(expect.any(String))
  const rows = await service.db.query<{ row: string }>('select to_jsonb(a)::text as row from audit a')
  expect(rows.map(({ row }) => row).join()).not.toContain(secret)
})

test('201 with the created key, even when its entry cannot be completed', async () => {
  await service.db.query(
    `create function refuse_target() returns trigger language plpgsql as $$
     begin
       if new.action = 'api-keys.create' then raise exception 'refused'; end if;
       return new;
     end $$`,
  )
  await service.db.query(
    'create trigger refuse_target before update on audit for each row execute function refuse_target()',
  )
  const { status, json } = await ann.post('/api-keys', { name: 'Kept', permission: 'send' })
  await service.db.query('drop trigger refuse_target on audit')
  expect([status, typeof json.token]).toEqual([201, 'string'])
  expect(await newest(ann)).toMatchObject({ action: 'api-keys.create', target_id: null })
})

test('entries are filtered by author, action and time, and invisible to another team', async () => {
  const { json: folder } = await ann.post('/template-folders', { name: 'A' })
  await ann.put(`/template-folders/${folder.id}`, { name: 'B' })
  const of = (query: string) => entriesOf(ann, query).then((entries) => entries.map(({ action }) => action))
  expect(await of(`&target_id=${folder.id}`)).toEqual(['template-folders.update', 'template-folders.create'])
  expect(new Set(await of('&action=template-folders.'))).toEqual(
    new Set(['template-folders.update', 'template-folders.create']),
  )
  expect(await of('&action=template-folders.delete')).toEqual([])
  expect(await of(`&start_date=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([])
  const bob = await service.givenSender()
  expect(await entriesOf(bob, `&target_id=${folder.id}`)).toEqual([])
})
