import type { Kind } from './resources.ts'

/** One documented method of one path. */
export interface DocumentedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{id}` stands for a record's id. */
  path: string
  /** The kind of record of `{id}`. */
  kind: Kind | 'captured' | null
  /** The rate-limit counter that it uses (LIM-3 to LIM-5). */
  bucket: 'send' | 'validate' | 'general'
  /** Whether a key with the permission `send` may call it (KEY-5). */
  sendKey: boolean
  hasBody: boolean
  /** Byte cap of its body in MiB (ERR-8). */
  capMib: number
  /** Whether it returns a list. */
  isList: boolean
}

type Line = readonly [methods: string, path: string, kind?: DocumentedRoute['kind']]

/** `list`: GET returns a list envelope. PUT stands for PUT and PATCH, which are equivalent. */
const LINES: readonly Line[] = [
  ['POST list', '/emails'],
  ['POST', '/emails/mime'],
  ['POST', '/emails/batch'],
  ['POST', '/emails/validate'],
  ['GET PUT', '/emails/{id}', 'email'],
  ['GET', '/emails/{id}/raw', 'email'],
  ['GET', '/emails/{id}/attempts', 'email'],
  ['POST-', '/emails/{id}/cancel', 'email'],
  ['POST', '/emails/{id}/resend', 'email'],
  ['GET', '/emails/{id}/attachments/{index}', 'email'],
  ['POST list', '/templates'],
  ['GET PUT DELETE', '/templates/{id}', 'template'],
  ['POST-', '/templates/{id}/publish', 'template'],
  ['GET PUT DELETE', '/templates/{id}/draft', 'template'],
  ['POST-', '/templates/{id}/duplicate', 'template'],
  ['POST', '/templates/{id}/preview', 'template'],
  ['POST', '/templates/preview'],
  ['list', '/templates/{id}/versions', 'template'],
  ['GET', '/templates/{id}/versions/{version}', 'template'],
  ['POST-', '/templates/{id}/versions/{version}/restore', 'template'],
  ['POST list', '/template-folders'],
  ['GET PUT DELETE', '/template-folders/{id}', 'folder'],
  ['POST list', '/senders'],
  ['GET PUT DELETE', '/senders/{id}', 'sender'],
  ['POST list', '/domains'],
  ['GET PUT DELETE', '/domains/{id}', 'domain'],
  ['POST-', '/domains/{id}/verify', 'domain'],
  ['POST list', '/properties'],
  ['GET PUT DELETE', '/properties/{id}', 'property'],
  ['POST list', '/contact-properties'],
  ['GET PUT DELETE', '/contact-properties/{id}', 'property'],
  ['POST list', '/contacts'],
  ['GET PUT DELETE', '/contacts/{id}', 'contact'],
  ['POST list', '/contacts/{id}/lists', 'contact'],
  ['DELETE', '/contacts/{id}/lists/{listId}', 'contact'],
  ['POST list', '/lists'],
  ['GET PUT DELETE', '/lists/{id}', 'list'],
  ['list', '/lists/{id}/contacts', 'list'],
  ['POST list', '/segments'],
  ['POST', '/segments/count'],
  ['GET PUT DELETE', '/segments/{id}', 'segment'],
  ['list', '/segments/{id}/contacts', 'segment'],
  ['POST list', '/campaigns'],
  ['GET PUT DELETE', '/campaigns/{id}', 'campaign'],
  ['POST', '/campaigns/{id}/send', 'campaign'],
  ['POST-', '/campaigns/{id}/pause', 'campaign'],
  ['POST-', '/campaigns/{id}/resume', 'campaign'],
  ['POST-', '/campaigns/{id}/cancel', 'campaign'],
  ['POST-', '/campaigns/{id}/duplicate', 'campaign'],
  ['POST-', '/campaigns/{id}/retry', 'campaign'],
  ['list', '/campaigns/{id}/recipients', 'campaign'],
  ['list', '/campaigns/{id}/links', 'campaign'],
  ['POST list', '/automations'],
  ['GET PUT DELETE', '/automations/{id}', 'automation'],
  ['POST-', '/automations/{id}/stop', 'automation'],
  ['POST-', '/automations/{id}/duplicate', 'automation'],
  ['GET', '/automations/{id}/versions', 'automation'],
  ['GET', '/automations/{id}/figures', 'automation'],
  ['list', '/automations/{id}/runs', 'automation'],
  ['list', '/event-definitions'],
  ['POST list', '/suppressions'],
  ['POST', '/suppressions/batch/add'],
  ['POST', '/suppressions/batch/remove'],
  ['GET PUT DELETE', '/suppressions/{id}', 'suppression'],
  ['POST list', '/api-keys'],
  ['GET PUT DELETE', '/api-keys/{id}', 'key'],
  ['POST list', '/webhooks'],
  ['GET PUT DELETE', '/webhooks/{id}', 'webhook'],
  ['POST-', '/webhooks/{id}/test', 'webhook'],
  ['POST-', '/webhooks/{id}/rotate-secret', 'webhook'],
  ['POST', '/webhooks/{id}/replay', 'webhook'],
  ['list', '/webhooks/{id}/deliveries', 'webhook'],
  ['GET', '/webhooks/{id}/deliveries/{deliveryId}', 'webhook'],
  ['POST-', '/webhooks/{id}/deliveries/{deliveryId}/replay', 'webhook'],
  ['list', '/captured'],
]

const SENDS = new Set(['/emails', '/emails/mime', '/emails/batch', '/emails/{id}/resend'])
/** Routes below /emails that require a key with full permission. */
const FULL_ONLY = new Set(['/emails/{id}/resend'])
const CAPS_MIB: Readonly<Record<string, number>> = { '/emails': 80, '/emails/mime': 80, '/emails/batch': 100 }

function routesOf([methods, path, kind = null]: Line): DocumentedRoute[] {
  return methods.split(' ').flatMap((word) => {
    const names = word === 'PUT' ? ['PUT', 'PATCH'] : [word === 'list' ? 'GET' : word.replace('-', '')]
    return names.map((name) => {
      const method = name as DocumentedRoute['method']
      const posts = method === 'POST'
      return {
        method,
        path,
        kind,
        bucket: posts && SENDS.has(path) ? 'send' : path === '/emails/validate' ? 'validate' : 'general',
        sendKey:
          (posts && path.startsWith('/emails') && !FULL_ONLY.has(path)) ||
          (method === 'GET' && path === '/emails/{id}'),
        hasBody: word === 'POST' || word === 'PUT',
        capMib: posts ? (CAPS_MIB[path] ?? 1) : 1,
        isList: word === 'list',
      } satisfies DocumentedRoute
    })
  })
}

export const ROUTES: readonly DocumentedRoute[] = LINES.flatMap(routesOf)
