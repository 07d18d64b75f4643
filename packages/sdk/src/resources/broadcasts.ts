import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  Broadcast,
  BroadcastId,
  BroadcastLinkList,
  BroadcastRecipientList,
  BroadcastSummaryList,
  CreateBroadcastRequest,
  Deleted,
  SendBroadcastRequest,
  UpdateBroadcastRequest,
} from '../types.ts'

/** Campaigns to a segment, in the form of Resend's API. `campaigns` can do more with them. */
export class Broadcasts extends Resource {
  /** Creates a broadcast, and sends it if asked to. */
  create(body: CreateBroadcastRequest, options?: CallOptions): Call<BroadcastId> {
    return this.call('post', '/broadcasts', { body, options })
  }

  /** Lists broadcasts, newest first. */
  list(query?: Filters<'/broadcasts'>, options?: CallOptions): ListCall<BroadcastSummaryList> {
    return this.page('/broadcasts', query, options)
  }

  /** Returns a broadcast. */
  get(id: string, options?: CallOptions): Call<Broadcast> {
    return this.call('get', '/broadcasts/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a broadcast. */
  update(id: string, body: UpdateBroadcastRequest = {}, options?: CallOptions): Call<BroadcastId> {
    return this.call('patch', '/broadcasts/{id}', { ids: [id], body, options })
  }

  /** Deletes a broadcast. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/broadcasts/{id}', { ids: [id], options })
  }

  /** Sends a broadcast, now or at a given time. */
  send(id: string, body: SendBroadcastRequest = {}, options?: CallOptions): Call<BroadcastId> {
    return this.call('post', '/broadcasts/{id}/send', { ids: [id], body, options })
  }

  /** Cancels a broadcast. */
  cancel(id: string, options?: CallOptions): Call<BroadcastId> {
    return this.call('post', '/broadcasts/{id}/cancel', { ids: [id], options, isSafe: true })
  }

  /** Copies a broadcast into a draft. */
  duplicate(id: string, options?: CallOptions): Call<BroadcastId> {
    return this.call('post', '/broadcasts/{id}/duplicate', { ids: [id], options })
  }

  /** Lists the recipients to whom `type` happened; by default those it was sent to. */
  recipients(
    id: string,
    query?: Filters<'/broadcasts/{id}/recipients'>,
    options?: CallOptions,
  ): ListCall<BroadcastRecipientList> {
    return this.page('/broadcasts/{id}/recipients', query, options, [id])
  }

  /** Lists the links that people clicked. */
  clickedLinks(
    id: string,
    query?: Filters<'/broadcasts/{id}/clicked-links'>,
    options?: CallOptions,
  ): ListCall<BroadcastLinkList> {
    return this.page('/broadcasts/{id}/clicked-links', query, options, [id])
  }
}
