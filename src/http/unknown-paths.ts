import type { FastifyInstance } from 'fastify'
import { Refusal } from '../base/refusal.ts'
import { type Admitting, admit } from './admit.ts'
import type { Route } from './route.ts'

/** A path that is no route: 404, or 405 where another method would do. Both only for those who have a key. */
export function refuseUnknownPaths(app: FastifyInstance, options: Admitting): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = '/'] = request.url.split('?', 1)
    const routes = options.routes.filter((route) => pathFits(route.path, path))
    const has = (permission: Route['permission']) => routes.some((route) => route.permission === permission)
    // Of a person it is not asked for which team: there is nothing that belongs to one.
    const isForUsers = has('user') || has('member') || options.sessions.isAsked(request.raw)
    const permission = has('public') ? 'public' : has('operator') ? 'operator' : isForUsers ? 'user' : 'send'
    await admit({ method: 'GET', permission, limit: 'general', tag: '' }, request, reply, options)
    if (routes.length === 0) throw new Refusal('not_found')
    const methods = new Set(routes.map((route) => route.method as string))
    if (methods.has('GET')) methods.add('HEAD')
    reply.header('allow', [...methods].sort().join(', '))
    throw new Refusal('method_not_allowed')
  })
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })
}

/** Whether `/emails/123` is of the form `/emails/:id`. */
function pathFits(form: string, path: string): boolean {
  const parts = path.split('/')
  const forms = form.split('/')
  return (
    parts.length === forms.length &&
    forms.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  )
}
