import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import { type Admitting, admit } from '../auth/admit.ts'
import type { Route } from '../route/route.ts'

/** Distinguishes a wrong URL from a record that does not exist. Clients rely on the message, which is the same. */
const unknownPath = () =>
  new ApiError('not_found', undefined, { hint: 'No endpoint has this path. The reference is at /docs.' })

/**
 * Rejects requests that no route handles: with 405 if the path has other methods, else with 404. Both require a valid
 * key, except for files. `/emails/mime` is a literal path and not an id of `/emails/:id`: it returns 405 for its missing methods,
 * although a route with a parameter would accept the request.
 */
export function refuseUnknownPaths(
  app: FastifyInstance,
  options: Admitting & { routes: readonly Route[] },
): void {
  const routesOf = Map.groupBy(options.routes, ({ path }) => formOf(path))
  const forms = [...routesOf.keys()].map((text) => ({ text, parts: text.split('/') }))
  const narrowerForms = new Map(
    forms.flatMap((form) => {
      const narrower = forms.filter((each) => isWithin(each, form))
      return (routesOf.get(form.text) ?? []).map(({ path }) => [path, narrower] as const)
    }),
  )
  // This hook is not async, because nearly every request passes at once and needs no promise.
  app.addHook('onRequest', (request, reply, done) => {
    const narrower = narrowerForms.get(request.routeOptions.url ?? '') ?? []
    if (!request.is404 && narrower.length === 0) done()
    else refuse(request, reply, narrower).then(() => done(), done)
  })

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    narrower: readonly Form[],
  ): Promise<void> {
    const path = pathOf(request.url)
    const form = narrowest((request.is404 ? forms : narrower).filter((each) => fits(each, path)))
    if (form === undefined && !request.is404) return
    const routes = routesOf.get(form?.text ?? '') ?? []
    const has = (permission: Route['permission']) => routes.some((route) => route.permission === permission)
    // A user needs no team here, because nothing on these paths belongs to one.
    const isForUsers = has('user') || has('member') || options.sessions.appliesTo(request.raw)
    const isOpen = has('public') || (routes.length === 0 && isFile(path))
    const permission = isOpen ? 'public' : has('operator') ? 'operator' : isForUsers ? 'user' : 'send'
    await admit({ method: 'GET', permission, area: 'operation' }, request, reply, options)
    if (routes.length === 0) throw unknownPath()
    const methods = new Set(routes.map((route) => route.method as string))
    if (methods.has('GET')) methods.add('HEAD')
    reply.header('allow', [...methods].sort().join(', '))
    throw new ApiError('method_not_allowed')
  }

  app.setNotFoundHandler(() => {
    throw unknownPath()
  })
}

/**
 * Returns whether browsers and crawlers ask for such a path on their own: `/favicon.ico`, `/robots.txt`, files of `/assets` and
 * `/.well-known`. They have no key, and 401 would say that there is something to see.
 */
function isFile([, first = '', ...rest]: readonly string[]): boolean {
  return first === 'assets' || first === '.well-known' || (rest.length === 0 && /\.[a-z0-9]+$/i.test(first))
}

const PARAMETER = ':'

/** The form of a path, and its parts. */
interface Form {
  text: string
  parts: readonly string[]
}

/** Returns `/contacts/:/lists/:` for `/contacts/:id/lists/:listId`: parameter names do not distinguish paths. */
const formOf = (path: string): string => path.replaceAll(/:[^/]+/g, PARAMETER)

/** Returns the path of a URL with its escapes decoded, as the router reads it. */
function pathOf(url: string): string[] {
  const [path = '/'] = url.split('?', 1)
  return path.split('/').map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

/** Returns whether a path matches a form, as `/emails/123` matches `/emails/:`. */
function fits({ parts }: Form, path: readonly string[]): boolean {
  return (
    path.length === parts.length &&
    parts.every((part, index) => (part === PARAMETER ? path[index] !== '' : part === path[index]))
  )
}

/** Returns whether every path of one form also matches the other, as `/emails/mime` matches `/emails/:`. */
function isWithin(form: Form, other: Form): boolean {
  return form !== other && fits(other, form.parts)
}

/** Returns the form that the router prefers: literal parts win over parameters, from the left. */
function narrowest(forms: readonly Form[]): Form | undefined {
  const rank = ({ parts }: Form) => parts.map((part) => (part === PARAMETER ? '1' : '0')).join('')
  return forms.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))[0]
}
