import Type from 'typebox'
import type { ResourceDeps } from '../http/route/resource.ts'
import { type Reply, type Request, type Route, routesOf } from '../http/route/route.ts'
import type { VisitRecorder } from './record-visits.ts'
import { readVisitToken, type TrackedVisit } from './track-links.ts'

interface Deps extends Pick<ResourceDeps, 'config' | 'clock'> {
  linkKeys: { unsubscribe: Buffer; tracking: Buffer }
  visits: VisitRecorder
}

const { route } = routesOf<Deps>()

const common = { area: 'tracking', permission: 'public' } as const
const Token = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 4096, description: 'Token of the pixel or link.' }),
})

/** A transparent pixel in the smallest image format that every mail program shows (GIF89a). */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const openPixel = route('GET', '/t/o/:token', {
  ...common,
  operationId: 'trackOpen',
  summary: 'Serve the open pixel',
  description: 'Records that the email was opened.',
  params: Token,
  responses: {
    200: { description: 'A transparent image of one pixel.', type: 'image/gif' },
    404: { description: 'The same image, for an invalid link.', type: 'image/gif' },
  },
  async handle(request) {
    const tracked = recordVisit(request, 'opened', request.params.token)
    return { status: tracked === null ? 404 : 200, bytes: PIXEL, type: 'image/gif' }
  },
})

/** Redirects only to links from the email: the target is in the signed token, so this is not an open redirect. */
const clickLink = route('GET', '/t/c/:token', {
  ...common,
  operationId: 'trackClick',
  summary: 'Follow a tracked link',
  description: 'Records the click and redirects to the link.',
  params: Token,
  responses: {
    302: { description: 'A redirect to the target of the link.' },
    404: { description: 'The link is invalid.', type: 'text/html' },
  },
  async handle(request): Promise<Reply> {
    const tracked = recordVisit(request, 'clicked', request.params.token)
    if (tracked === null) return { status: 404, bytes: UNKNOWN_LINK, type: 'text/html; charset=utf-8' }
    return { status: 302, bytes: '', type: 'text/plain', headers: { location: new URL(tracked.link).href } }
  },
})

const UNKNOWN_LINK = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Unknown link</title>
<p>This link does not work. It may have been truncated. Open it from the email again.</p></html>
`

/** The most characters of a header that a waiting visit keeps. */
const HEADER_LENGTH_MAX = 1_000

/** Returns the host name in comparable form; empty if the URL is invalid. */
function hostnameOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, '') ?? ''
}

function recordVisit(
  { method, deps, headers, ipAddress }: Request<unknown, unknown, unknown, Deps>,
  kind: TrackedVisit['kind'],
  token: string,
): TrackedVisit | null {
  const by = { host: hostnameOf(`http://${headers.host}`), publicHost: hostnameOf(deps.config.publicUrl) }
  const tracked = readVisitToken(deps.linkKeys.tracking, kind, token, by)
  if (tracked === null) return null
  const header = (name: string) => headers[name]?.slice(0, HEADER_LENGTH_MAX).toString() ?? null
  const purpose = header('sec-purpose') ?? header('purpose') ?? header('x-purpose') ?? header('x-moz')
  const visit = { method, ipAddress, userAgent: header('user-agent'), purpose }
  deps.visits.record({ tracked, visit, at: deps.clock.now() })
  return tracked
}

export const trackingRoutes: readonly Route<Deps>[] = [openPixel, clickLink]
