import type { Scene } from './scene.ts'

/** The path at which each kind of record is created. */
export const PATHS = {
  property: '/properties',
  contact: '/contacts',
  list: '/lists',
  segment: '/segments',
  sender: '/senders',
  template: '/templates',
  folder: '/template-folders',
  campaign: '/campaigns',
  automation: '/automations',
  suppression: '/suppressions',
  key: '/api-keys',
  domain: '/domains',
  webhook: '/webhooks',
  email: '/emails',
} as const

export type Kind = keyof typeof PATHS
export const KINDS = Object.keys(PATHS) as Kind[]
/** The kinds with create, read, list, update and delete. */
export const RECORDS = KINDS.filter((kind) => kind !== 'email')

let counter = 0
/** Returns a unique name. */
export const unique = (prefix: string): string => `${prefix}${++counter}`

/** Filters with one condition on the address, which matches the contacts at `example.test`. */
export const FILTERS = {
  groups: [
    { match_type: 'all', conditions: [{ field: 'email', operator: 'contains', value: '@example.test' }] },
  ],
}

/** Returns a body that creates a record of this kind. */
export async function bodyFor(scene: Scene, kind: Kind): Promise<Record<string, unknown>> {
  switch (kind) {
    case 'property':
      return { key: unique('key_'), type: 'string' }
    case 'contact':
      return { email: `${unique('contact')}@example.test` }
    case 'list':
      return { name: unique('List ') }
    case 'segment':
      return { name: unique('Segment '), match_type: 'all', filters: FILTERS }
    case 'sender':
      return { name: 'Ann', username: unique('ann'), domain_id: scene.sender.domainId }
    case 'template': {
      const { id } = await scene.made('sender')
      return { name: unique('Template '), sender_id: id, subject: 'Hi', html_content: '<p>Hi</p>' }
    }
    case 'folder':
      return { name: unique('Folder ') }
    case 'campaign': {
      const [sender, list] = [await scene.made('sender'), await scene.made('list')]
      const ids = { sender_id: sender.id, list_id: list.id }
      return { name: unique('Campaign '), subject: 'Hi', html: '<p>Hi</p>', ...ids }
    }
    case 'automation':
      return { name: unique('Automation ') }
    case 'suppression':
      return { email: `${unique('gone')}@example.test` }
    case 'key':
      return { name: unique('key ') }
    case 'domain':
      return { name: `${unique('domain')}.test` }
    case 'webhook':
      return { endpoint: `https://${unique('hooks')}.example.test/events` }
    case 'email':
      return scene.sender.email()
  }
}

/** A valid change for each kind, and the resulting fields. */
export const CHANGES: Readonly<Record<Exclude<Kind, 'email'>, Record<string, unknown>>> = {
  property: { fallback_value: 'changed' },
  contact: { first_name: 'Changed' },
  list: { name: 'Changed' },
  segment: { name: 'Changed' },
  sender: { name: 'Changed' },
  template: { name: 'Changed' },
  folder: { name: 'Changed' },
  campaign: { name: 'Changed' },
  automation: { name: 'Changed' },
  suppression: { reason: 'complaint' },
  key: { name: 'Changed' },
  domain: { open_tracking: true },
  webhook: { description: 'Changed' },
}
