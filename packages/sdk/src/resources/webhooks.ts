import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateWebhookRequest,
  Deleted,
  ReplayWebhookEventsRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliverySummary,
  WebhookDeliverySummaryList,
  WebhookEvent,
  WebhookList,
  WebhookReplay,
  WebhookWithSecret,
} from '../types.ts'
import { type SignedRequest, verifyWebhook } from '../verify-webhook.ts'

/** Your endpoints for events, and the deliveries to them. */
export class Webhooks extends Resource {
  /**
   * Verifies the signature of a webhook and returns its event. Pass the body exactly as it arrived. The error is
   * `invalid_signature`.
   */
  verify(request: SignedRequest): Call<WebhookEvent> {
    return verifyWebhook(request)
  }

  /** Creates a webhook. */
  create(body: CreateWebhookRequest, options?: CallOptions): Call<WebhookWithSecret> {
    return this.call('post', '/webhooks', { body, options })
  }

  /** Lists webhooks, newest first. */
  list(query?: Filters<'/webhooks'>, options?: CallOptions): ListCall<WebhookList> {
    return this.page('/webhooks', query, options)
  }

  /** Returns a webhook. */
  get(id: string, options?: CallOptions): Call<Webhook> {
    return this.call('get', '/webhooks/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a webhook. */
  update(id: string, body: UpdateWebhookRequest = {}, options?: CallOptions): Call<Webhook> {
    return this.call('patch', '/webhooks/{id}', { ids: [id], body, options })
  }

  /** Deletes a webhook. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/webhooks/{id}', { ids: [id], options })
  }

  /** Sends an example event to a webhook. */
  test(id: string, body: TestWebhookRequest = {}, options?: CallOptions): Call<WebhookDeliverySummary> {
    return this.call('post', '/webhooks/{id}/test', { ids: [id], body, options })
  }

  /** Creates a new signing secret. The old one keeps signing for 24 hours. */
  rotateSecret(id: string, options?: CallOptions): Call<WebhookWithSecret> {
    return this.call('post', '/webhooks/{id}/rotate-secret', { ids: [id], options })
  }

  /** Sends the events of a period again. */
  replay(id: string, body: ReplayWebhookEventsRequest, options?: CallOptions): Call<WebhookReplay> {
    return this.call('post', '/webhooks/{id}/replay', { ids: [id], body, options })
  }

  /** Lists the deliveries of a webhook, newest first. */
  deliveries(
    id: string,
    query?: Filters<'/webhooks/{id}/deliveries'>,
    options?: CallOptions,
  ): ListCall<WebhookDeliverySummaryList> {
    return this.page('/webhooks/{id}/deliveries', query, options, [id])
  }

  /** Returns a delivery with its request and its attempts. */
  getDelivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDelivery> {
    return this.call('get', '/webhooks/{id}/deliveries/{deliveryId}', { ids: [id, deliveryId], options })
  }

  /** Sends the event of a delivery again. */
  replayDelivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliverySummary> {
    return this.call('post', '/webhooks/{id}/deliveries/{deliveryId}/replay', {
      ids: [id, deliveryId],
      options,
    })
  }
}
