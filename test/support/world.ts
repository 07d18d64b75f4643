import type { ApiReply } from './client.ts'
import { upload } from './csv.ts'
import type { Sender } from './sendwright.ts'

/** The ids of one resource of every kind, by path. */
export type World = Record<string, string>

/** Request bodies for every kind, for a team that has `world`. */
const MAKERS: readonly {
  kind: string
  body: (world: World, sender: Sender) => unknown
}[] = [
  { kind: 'properties', body: () => ({ key: `plan_${suffix()}`, type: 'string', fallback_value: 'free' }) },
  { kind: 'lists', body: () => ({ name: 'Customers' }) },
  {
    kind: 'contacts',
    body: ({ lists }) => ({
      email: `carol-${suffix()}@receiver.test`,
      first_name: 'Carol',
      last_name: 'Smith',
      user_id: 'u-1',
      list_ids: [lists],
    }),
  },
  {
    kind: 'segments',
    body: ({ properties, lists }) => ({
      name: 'Paying',
      match_type: 'all',
      filters: {
        groups: [
          {
            match_type: 'any',
            conditions: [
              { field: 'property', property_id: properties, operator: 'equals', value: 'pro' },
              { field: 'list', operator: 'in', value: lists },
            ],
          },
        ],
      },
    }),
  },
  {
    kind: 'senders',
    body: (_, { domainId }) => ({ name: 'Shop', username: `shop-${suffix()}`, domain_id: domainId }),
  },
  { kind: 'template-folders', body: () => ({ name: 'Receipts' }) },
  {
    kind: 'templates',
    body: ({ senders, 'template-folders': folder }) => ({
      name: 'Receipt',
      sender_id: senders,
      folder_id: folder,
      subject: 'Your receipt, {{NAME}}',
      html_content: '<p>Thank you, {{NAME}}.</p>',
      text_content: 'Thank you, {{NAME}}.',
      variables: [{ key: 'NAME', type: 'string', fallback_value: 'friend' }],
    }),
  },
  {
    kind: 'campaigns',
    body: ({ senders, templates, lists }) => ({
      name: 'Spring',
      sender_id: senders,
      template_id: templates,
      list_id: lists,
    }),
  },
  {
    kind: 'automations',
    body: () => ({
      name: 'Welcome',
      status: 'active',
      steps: automationSteps('3 days'),
      connections: [{ from: 'start', to: 'wait' }],
      settings: { reentry: 'every_time', on_retrigger: 'restart' },
    }),
  },
  { kind: 'events', body: () => ({ name: `order.shipped.${suffix()}`, schema: { order: 'number' } }) },
  { kind: 'suppressions', body: () => ({ email: `gone-${suffix()}@receiver.test` }) },
  { kind: 'unsubscriptions', body: () => ({ email: `left-${suffix()}@receiver.test`, topic: 'News' }) },
  { kind: 'webhooks', body: () => ({ endpoint: `https://shop-${suffix()}.example/hooks` }) },
  {
    kind: 'emails',
    body: (_, sender) =>
      sender.email({
        scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
        attachments: [{ filename: 'note.txt', content: 'SGk=' }],
      }),
  },
]

/** Bodies for paths that create records of a kind above under another name. */
const ALIASES: typeof MAKERS = [
  {
    kind: 'broadcasts',
    body: ({ segments }, { domain }) => ({
      name: 'Summer',
      segment_id: segments,
      from: `Shop <news@${domain}>`,
      subject: 'Summer',
      text: 'Everything at half the price.',
    }),
  },
]

function automationSteps(duration: string) {
  return [
    { key: 'start', type: 'trigger', config: { type: 'api' } },
    { key: 'wait', type: 'delay', config: { duration } },
  ]
}

const DAY_MS = 24 * 3_600_000
let count = 0
const suffix = () => (++count).toString(36)

/** Returns a valid body for `POST /<kind>`, or null when this file has none. */
export function bodyFor(kind: string, world: World, sender: Sender): unknown {
  return [...MAKERS, ...ALIASES].find((maker) => maker.kind === kind)?.body(world, sender) ?? null
}

/** Creates one resource of every kind for a team in capture mode. Throws the response when one is rejected. */
export async function makeWorld(sender: Sender, url: string): Promise<World> {
  const world: World = { domains: sender.domainId, 'api-keys': (await sender.givenKey()).keyId }
  for (const { kind, body } of MAKERS) {
    world[kind] = idOf(await sender.post(`/${kind}`, body(world, sender)))
  }
  for (const kind of ['contacts', 'suppressions']) {
    const file = `email\nfrom-file-${suffix()}@receiver.test\n`
    world[`${kind}/imports`] = idOf(await upload(url, sender, `/${kind}/import`, file))
  }
  const nobody = `nobody-${suffix()}@receiver.test`
  world.erasures = idOf(await sender.post(`/contacts/${nobody}/erase`, {}))
  world['webhook-deliveries'] = idOf(await sender.post(`/webhooks/${world.webhooks}/test`))
  world.runs = await beginRun(sender, world)
  const captured = await sender.send({ to: `bob-${suffix()}@receiver.test` })
  await sender.settled(captured)
  world.captured = (await sender.get('/captured')).json.data[0].id
  return world
}

/** Begins a run on the first version of the automation, which gets a second one. Returns the id of the run. */
async function beginRun(sender: Sender, { automations, contacts }: World): Promise<string> {
  const path = `/automations/${automations}`
  const run = idOf(await sender.post(`${path}/runs`, { contact_id: contacts }))
  const { status, text } = await sender.patch(path, { steps: automationSteps('4 days') })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return run
}

function idOf(reply: ApiReply): string {
  if (reply.status !== 201 && reply.status !== 202) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json.id
}

/** The kind of an id in an example, by field name. */
const KINDS: Readonly<Record<string, string>> = {
  domain_id: 'domains',
  sender_id: 'senders',
  template_id: 'templates',
  folder_id: 'template-folders',
  segment_id: 'segments',
  audience_id: 'segments',
  list_id: 'lists',
  list_ids: 'lists',
  property_id: 'properties',
  contact_id: 'contacts',
}

/** Returns the kind of record that a field or parameter with this name refers to; null for other names. */
export const kindOfId = (name: string): string | null => KINDS[name] ?? null

/** Replaces the ids in an example with those of the team's resources. */
export function withOwnIds(value: unknown, world: World, name = '', parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withOwnIds(item, world, name, parent))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, withOwnIds(field, world, key, name)]),
    )
  }
  if (typeof value !== 'string') return value
  // Examples contain past dates, but the service requires future ones.
  if (name === 'scheduled_at' || name === 'expires_at') return new Date(Date.now() + DAY_MS).toISOString()
  if (name === 'id' && parent === 'template') return world.templates
  return KINDS[name] === undefined ? value : world[KINDS[name]]
}
