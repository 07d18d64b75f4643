import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type { Log, LogList } from '../types.ts'

/** Requests with API keys. */
export class Logs extends Resource {
  /** Lists requests, newest first. */
  list(query?: Filters<'/logs'>, options?: CallOptions): ListCall<LogList> {
    return this.page('/logs', query, options)
  }

  /** Returns a request by the `requestId` of its result. */
  get(id: string, options?: CallOptions): Call<Log> {
    return this.call('get', '/logs/{id}', { ids: [id], options })
  }
}
