import { EventStream, type StreamOptions } from '../event-stream.ts'
import { type Filters, Resource, writeQuery } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateEventDefinitionRequest,
  Deleted,
  EventDefinition,
  EventDefinitionList,
  EventType,
  FeedPage,
  ReportedEvent,
  SendEventRequest,
  UpdateEventDefinitionRequest,
} from '../types.ts'

/** Everything that happens to emails, contacts, domains and webhooks, as a feed, and events of your own. */
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

  /** Reports an event of a contact, which begins and resumes automations. */
  send(body: SendEventRequest, options?: CallOptions & { idempotencyKey?: string }): Call<ReportedEvent> {
    return this.call('post', '/events/send', { body, options, isKeyed: true })
  }

  /** Defines an event of your own, with the fields of its payload. */
  define(body: CreateEventDefinitionRequest, options?: CallOptions): Call<EventDefinition> {
    return this.call('post', '/events', { body, options })
  }

  /** Lists the events that are defined, newest first. */
  definitions(query?: Filters<'/event-definitions'>, options?: CallOptions): ListCall<EventDefinitionList> {
    return this.page('/event-definitions', query, options)
  }

  /** Returns an event that is defined, by id or name. */
  getDefinition(id: string, options?: CallOptions): Call<EventDefinition> {
    return this.call('get', '/events/{id}', { ids: [id], options })
  }

  /** Replaces the fields of the payload of an event. */
  updateDefinition(
    id: string,
    body: UpdateEventDefinitionRequest,
    options?: CallOptions,
  ): Call<EventDefinition> {
    return this.call('patch', '/events/{id}', { ids: [id], body, options })
  }

  /** Deletes the definition of an event. */
  deleteDefinition(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/events/{id}', { ids: [id], options })
  }
}
