import { EventStream, type StreamOptions } from '../event-stream.ts'
import { type Filters, Resource, writeQuery } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { CallOptions } from '../transport.ts'
import type { EventType, FeedPage } from '../types.ts'

/** Everything that happens to emails, contacts, domains and webhooks, as a feed. */
export class Events extends Resource {
  /** Lists events, oldest first. `for await` ends with the newest one. */
  list(query?: Filters<'/events'>, options?: CallOptions): ListCall<FeedPage> {
    // The document describes the data of events with the webhooks.
    return this.page('/events', query, options) as unknown as ListCall<FeedPage>
  }

  /**
   * Streams events as they happen, and reconnects where a connection broke: no event is missed, and none appears twice.
   * It ends when `signal` aborts or the loop is left.
   */
  stream<T extends EventType = EventType>(options: StreamOptions<T> = {}): EventStream<T> {
    const { types, email_id, subject_id } = options
    const filters = { types: types?.join(','), email_id, subject_id }
    return new EventStream(options, (start, signal) =>
      this.transport.open(
        {
          method: 'GET',
          path: `/events${writeQuery({ ...filters, ...start.query })}`,
          accept: 'text/event-stream',
          headers: start.headers,
          isRepeatable: true,
        },
        signal,
      ),
    )
  }
}
