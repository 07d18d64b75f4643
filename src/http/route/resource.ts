import type { Static, TSchema } from 'typebox'
import type { Config } from '../../config/config.ts'
import { readCounter } from '../../db/counters.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import type { PageRange, Rows } from '../../db/page.ts'
import { runAgainOnDeadlock } from '../../db/transactions.ts'
import { ApiError, orNotFound } from '../../lib/api-error.ts'
import { omitUndefined } from '../../lib/omit-undefined.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { listOf, PageQuery, pageReply, readPage } from './page.ts'
import { deletedToJson } from './present.ts'
import { type Audited, aliasOf, type Reply, type Request, type Route } from './route.ts'
import { Deleted, IdParams } from './schemas.ts'

/** The dependencies of the routes of a resource. */
export interface ResourceDeps {
  config: Config
  db: Db
  lists: Db
  clock: Clock
}

type Asked<Deps, Query = unknown> = Request<unknown, Query, unknown, Deps>

/** What the routes of one resource have in common. */
interface ResourceSpec<Row, Deps> extends Pick<Route, 'area' | 'permission'> {
  /** For descriptions: `folder` gives "The folder." and "The new folder." */
  noun: string
  /** The schema of one record. */
  schema: TSchema
  toJson(row: Row, request: Asked<Deps>): unknown
  /** The parameters of paths to one record. Default: a UUID, which is passed on in lower case. */
  params?: TSchema
}

/** How a route shows a record, if not as the resource does. */
interface Shown<Row, Deps> {
  schema?: TSchema
  toJson?(row: Row, request: Asked<Deps>): unknown
}

/** A route whose rows are not those of the resource says how to show them. */
type ShownAs<Row, Known, Deps> = [Row] extends [Known] ? unknown : Required<Pick<Shown<Row, Deps>, 'toJson'>>

interface Described {
  description: string
  /** The description of the response, if not the usual one. */
  response?: string
}

type OneSpec = Described & { schema?: TSchema }

interface ListSpec<Row, Query extends TSchema, Deps> extends Described, Pick<Shown<Row, Deps>, 'schema'> {
  /** Default: page parameters without filters. */
  query?: Query
  /** Reads one page. With a filter it also returns the total; without one, the total is that of `counter`. */
  read(
    db: Db,
    teamId: string,
    page: PageRange,
    request: Asked<Deps, Static<Query>>,
  ): Promise<Rows<Row> & { total?: number | null }>
  counter: string
  toJson?(row: Row, request: Asked<Deps>): { id: string }
}

interface GetSpec<Row, Deps> extends Described, Shown<Row, Deps> {
  /** Returns null if the team has no such record: the route responds with 404. */
  read(db: Db, teamId: string, id: string, request: Asked<Deps>): Promise<Row | null>
}

interface WriteSpec<Row, Deps> extends Described, Shown<Row, Deps> {
  /** Its locks have no fixed order: the transaction runs again after a deadlock. */
  runsAgain?: true
}

interface CreateSpec<Row, Body extends TSchema, Input, Deps>
  extends WriteSpec<Row, Deps>,
    Pick<Route, 'bodyExtends'> {
  body: Body
  /** Reads the body before the transaction begins. Throws ApiError for values that the schema does not exclude. */
  input(body: Static<Body>): Input
  create(tx: Tx, teamId: string, input: Input, now: Date, request: Asked<Deps>): Promise<Row>
}

interface UpdateSpec<Row, Body extends TSchema, Input, Deps>
  extends WriteSpec<Row, Deps>,
    Pick<Route, 'bodyExtends'> {
  body: Body
  /** Reads the body before the transaction begins. Throws ApiError for values that the schema does not exclude. */
  input(body: Static<Body>): Input
  /** Resolves to null if the team has no such record: the route responds with 404. */
  update(
    tx: Tx,
    teamId: string,
    id: string,
    input: Input,
    now: Date,
    request: Asked<Deps>,
  ): Promise<Row | null>
}

interface ActSpec<Row, Deps> extends WriteSpec<Row, Deps> {
  /** Default: 200. 201 if the action creates a record. */
  status?: 200 | 201
  /** Resolves to null if the team has no such record: the route responds with 404. */
  act(tx: Tx, teamId: string, id: string, now: Date, request: Asked<Deps>): Promise<Row | null>
}

interface DeleteSpec<Deps> extends Described {
  runsAgain?: true
  /**
   * Resolves to null or false if the team has no such record: the route responds with 404. Resolves to the id of the record
   * if the path may name it otherwise.
   */
  remove(tx: Tx, teamId: string, id: string, now: Date, request: Asked<Deps>): Promise<unknown>
}

/** The routes of one kind of record. A route with rules that do not fit is written with `route`. */
export class Resource<Row, Deps extends ResourceDeps = ResourceDeps> {
  readonly #path: string
  readonly #object: string
  readonly #spec: ResourceSpec<Row, Deps>

  /**
   * @param path the path of the list, for example `/template-folders`; names the audited actions
   * @param object the `object` of the records, for example `template_folder`
   */
  constructor(path: string, object: string, spec: ResourceSpec<Row, Deps>) {
    this.#path = path
    this.#object = object
    this.#spec = spec
  }

  list<Query extends TSchema = typeof PageQuery, Listed = Row>(
    operationId: string,
    summary: string,
    spec: ListSpec<Listed, Query, Deps> & ShownAs<Listed, Row, Deps>,
  ): Route<Deps> {
    const { description, query = PageQuery, response = 'Newest first.' } = spec
    const path = this.#path
    const toJson = (spec.toJson ?? this.#spec.toJson) as (row: Listed, request: Asked<Deps>) => { id: string }
    return {
      ...this.#head(operationId, summary),
      method: 'GET',
      path,
      description,
      query,
      responses: { 200: { description: response, schema: listOf(spec.schema ?? this.#spec.schema) } },
      async handle(given) {
        const request = given as Asked<Deps, Static<Query> & PageQuery>
        const { teamId } = request.caller
        const { lists } = request.deps
        const page = readPage(request.query)
        const list = await spec.read(lists, teamId, page, request)
        const total = list.total ?? (await readCounter(lists, teamId, spec.counter))
        return pageReply(request, path, { ...list, page, total }, (row) => toJson(row, request))
      },
    }
  }

  get<Found = Row>(
    operationId: string,
    summary: string,
    spec: GetSpec<Found, Deps> & ShownAs<Found, Row, Deps>,
  ): Route<Deps> {
    return {
      ...this.#head(operationId, summary),
      ...this.#one('GET', spec),
      handle: async (request) => {
        const { id } = request.params as Static<typeof IdParams>
        const row = await spec.read(request.deps.db, request.caller.teamId, id, request)
        return this.#reply(200, spec, row, request)
      },
    }
  }

  /** A POST to the list. */
  create<Body extends TSchema, Input, Created = Row>(
    operationId: string,
    summary: string,
    spec: CreateSpec<Created, Body, Input, Deps> & ShownAs<Created, Row, Deps>,
  ): Route<Deps> {
    const { description, body, response = `The new ${this.#spec.noun}.` } = spec
    return {
      ...this.#head(operationId, summary),
      method: 'POST',
      path: this.#path,
      action: this.#action('create'),
      description,
      ...omitUndefined({ body, bodyExtends: spec.bodyExtends }),
      responses: { 201: { description: response, schema: spec.schema ?? this.#spec.schema } },
      handle: async (request) => {
        const { caller, deps } = request
        const input = spec.input(request.body as Static<Body>)
        const now = deps.clock.now()
        const row = await writeAudited(request, spec, (tx) =>
          spec.create(tx, caller.teamId, input, now, request),
        )
        return this.#reply(201, spec, row, request)
      },
    }
  }

  /** A PATCH of one record, and the PUT that does the same. */
  update<Body extends TSchema, Input, Updated = Row>(
    operationId: string,
    summary: string,
    spec: UpdateSpec<Updated, Body, Input, Deps> & ShownAs<Updated, Row, Deps>,
  ): [patch: Route<Deps>, put: Route<Deps>] {
    const patch: Route<Deps> = {
      ...this.#head(operationId, summary),
      ...this.#one('PATCH', spec),
      action: this.#action('update'),
      ...omitUndefined({ body: spec.body, bodyExtends: spec.bodyExtends }),
      handle: async (request) => {
        const { caller, deps } = request
        const input = spec.input(request.body as Static<Body>)
        const id = this.#idOf(request)
        const now = deps.clock.now()
        const row = await writeAudited(request, spec, (tx) =>
          spec.update(tx, caller.teamId, id, input, now, request),
        )
        return this.#reply(200, spec, row, request)
      },
    }
    return [patch, aliasOf(patch, { method: 'PUT' })]
  }

  /** A POST to one record without a body, for example `/campaigns/:id/pause`. */
  act<Changed = Row>(
    verb: string,
    operationId: string,
    summary: string,
    spec: ActSpec<Changed, Deps> & ShownAs<Changed, Row, Deps>,
  ): Route<Deps> {
    const { status = 200 } = spec
    const { path, ...one } = this.#one('POST', spec, status)
    return {
      ...this.#head(operationId, summary),
      ...one,
      path: `${path}/${verb}`,
      action: this.#action(verb),
      handle: async (request) => {
        const { caller, deps } = request
        const id = this.#idOf(request)
        const now = deps.clock.now()
        const row = await writeAudited(request, spec, (tx) => spec.act(tx, caller.teamId, id, now, request))
        return this.#reply(status, spec, row, request)
      },
    }
  }

  delete(operationId: string, summary: string, spec: DeleteSpec<Deps>): Route<Deps> {
    const { response = 'The record was deleted.' } = spec
    return {
      ...this.#head(operationId, summary),
      ...this.#one('DELETE', { ...spec, response, schema: Deleted }),
      action: this.#action('delete'),
      handle: async (request) => {
        const { caller, deps } = request
        const id = this.#idOf(request)
        const now = deps.clock.now()
        const removed = await writeAudited(request, spec, (tx) =>
          spec.remove(tx, caller.teamId, id, now, request),
        )
        if (removed === null || removed === false) throw new ApiError('not_found')
        return { status: 200, json: deletedToJson(this.#object, typeof removed === 'string' ? removed : id) }
      },
    }
  }

  #head(operationId: string, summary: string) {
    const { area, permission } = this.#spec
    return { area, permission, operationId, summary }
  }

  /** Returns the parts that routes of one record share. */
  #one<Method extends Route['method']>(
    method: Method,
    { description, response = `The ${this.#spec.noun}.`, schema = this.#spec.schema }: OneSpec,
    status = 200,
  ) {
    const { params = IdParams } = this.#spec
    const responses = { [status]: { description: response, schema } }
    return { method, path: `${this.#path}/:id`, description, params, responses }
  }

  #action(verb: string): string {
    return `${this.#path.slice(1)}.${verb}`
  }

  #idOf({ params }: Asked<Deps>): string {
    const { id } = params as Static<typeof IdParams>
    return this.#spec.params === undefined ? id.toLowerCase() : id
  }

  async #reply<Shows>(
    status: number,
    { toJson = this.#spec.toJson as never }: Shown<Shows, Deps>,
    row: Shows | null,
    request: Asked<Deps>,
  ): Promise<Reply> {
    return { status, json: await toJson(orNotFound(row), request) }
  }
}

/** Runs the work of an audited request in one transaction. */
function writeAudited<T>(
  request: Asked<unknown>,
  { runsAgain }: { runsAgain?: true },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { audited } = request as typeof request & Audited
  return runsAgain ? runAgainOnDeadlock(audited, work) : audited.transaction(work)
}
