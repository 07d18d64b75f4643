import type { Static, TSchema } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { PageRange, Rows } from '../../db/page.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { listOf, PageQuery, pageReply, readPage } from './page.ts'
import { deletedToJson } from './present.ts'
import { type Request, type Route, routesOf } from './route.ts'
import { Deleted, IdParams } from './schemas.ts'

/** The dependencies of the routes of a resource. */
export interface ResourceDeps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

interface ListSpec<Row, Query extends TSchema, Deps> {
  description: string
  /** Default: page parameters without filters. */
  query?: Query
  /** The schema of one record. */
  schema: TSchema
  /** The description of the response. Default: `Newest first.`. */
  response?: string
  /** Reads one page. With a filter it also returns the total; without one, the total is that of `counter`. */
  read(
    db: Db,
    teamId: string,
    page: PageRange,
    request: Request<unknown, Static<Query>, unknown, Deps>,
  ): Promise<Rows<Row> & { total?: number | null }>
  counter: string
  toJson(row: Row, request: Request<unknown, Static<Query>, unknown, Deps>): { id: string }
}

interface GetSpec<Row, Deps> {
  description: string
  /** Default: a UUID. */
  params?: TSchema
  response: { description: string; schema: TSchema }
  /** Returns null if the team has no such record: the route responds with 404. */
  read(
    db: Db,
    teamId: string,
    id: string,
    request: Request<unknown, unknown, unknown, Deps>,
  ): Promise<Row | null>
  toJson(row: Row, request: Request<unknown, unknown, unknown, Deps>): unknown
}

interface DeleteSpec {
  description: string
  /** The description of the response. Default: `The record was deleted.`. */
  response?: string
  /** Resolves to null or false if the team has no such record: the route responds with 404. */
  remove(tx: Tx, teamId: string, id: string, now: Date): Promise<unknown>
}

type Common = Pick<Route, 'tag' | 'permission' | 'limit'>
type Head = Common & Pick<Route, 'operationId' | 'summary'>

/**
 * Returns constructors of list, get and delete routes that need no special rules.
 * @param path the path of the list, for example `/template-folders`; names the audited actions
 * @param object the `object` of the records, for example `template_folder`
 */
export function resource<Deps extends ResourceDeps = ResourceDeps>(
  path: string,
  object: string,
  common: Common,
) {
  return {
    list<Row, Query extends TSchema = typeof PageQuery>(
      operationId: string,
      summary: string,
      spec: ListSpec<Row, Query, Deps>,
    ): Route<Deps> {
      return listRoute(path, { ...common, operationId, summary }, spec)
    },

    get<Row>(operationId: string, summary: string, spec: GetSpec<Row, Deps>): Route<Deps> {
      return getRoute(path, { ...common, operationId, summary }, spec)
    },

    delete(operationId: string, summary: string, spec: DeleteSpec): Route<Deps> {
      return deleteRoute(path, object, { ...common, operationId, summary }, spec)
    },
  }
}

function listRoute<Deps extends ResourceDeps, Row, Query extends TSchema = typeof PageQuery>(
  path: string,
  head: Head,
  spec: ListSpec<Row, Query, Deps>,
): Route<Deps> {
  const { description, query = PageQuery, schema, response = 'Newest first.' } = spec
  const responses = { 200: { description: response, schema: listOf(schema) } }
  return routesOf<Deps>().route('GET', path, {
    ...head,
    description,
    query,
    responses,
    async handle(given) {
      const request = given as Request<unknown, Static<Query>, unknown, Deps>
      const { teamId } = request.caller
      const { lists } = request.deps
      const page = readPage(given.query)
      const found = await spec.read(lists, teamId, page, request)
      const total = found.total ?? (await readCounter(lists, teamId, spec.counter))
      return pageReply(request, path, { ...found, page, total }, (row) => spec.toJson(row, request))
    },
  })
}

function getRoute<Deps extends ResourceDeps, Row>(
  path: string,
  head: Head,
  spec: GetSpec<Row, Deps>,
): Route<Deps> {
  const { description, params = IdParams, response } = spec
  return routesOf<Deps>().route('GET', `${path}/:id`, {
    ...head,
    description,
    params,
    responses: { 200: response },
    async handle(request) {
      const { caller, deps } = request
      const { id } = request.params as Static<typeof IdParams>
      const row = orNotFound(await spec.read(deps.db, caller.teamId, id, request))
      return { status: 200, json: await spec.toJson(row, request) }
    },
  })
}

function deleteRoute<Deps extends ResourceDeps>(
  path: string,
  object: string,
  head: Head,
  spec: DeleteSpec,
): Route<Deps> {
  const { description, response = 'The record was deleted.' } = spec
  const responses = { 200: { description: response, schema: Deleted } }
  return routesOf<Deps>().route('DELETE', `${path}/:id`, {
    ...head,
    action: `${path.slice(1)}.delete`,
    description,
    params: IdParams,
    responses,
    async handle({ caller, params, audited, deps: { clock } }) {
      const id = params.id.toLowerCase()
      const removed = await audited.transaction((tx) => spec.remove(tx, caller.teamId, id, clock.now()))
      if (removed === null || removed === false) throw new ApiError('not_found')
      return { status: 200, json: deletedToJson(object, id) }
    },
  })
}
