import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  AlertList,
  ApiKey,
  ApiKeyList,
  ApiKeyWithToken,
  AuditEntryList,
  CapturedEmail,
  CapturedEmailSummaryList,
  CreateApiKeyRequest,
  DeleteCapturedEmailsResponse,
  Deleted,
  GoLive,
  Retention,
  Summary,
  UpdateApiKeyRequest,
  UpdateRetentionRequest,
  Usage,
} from '../types.ts'

/** Keys that authenticate requests. */
export class ApiKeys extends Resource {
  /** Creates an API key. */
  create(body: CreateApiKeyRequest, options?: CallOptions): Call<ApiKeyWithToken> {
    return this.call('post', '/api-keys', { body, options })
  }

  /** Lists API keys, newest first. */
  list(query?: Filters<'/api-keys'>, options?: CallOptions): ListCall<ApiKeyList> {
    return this.page('/api-keys', query, options)
  }

  /** Returns an API key. */
  get(id: string, options?: CallOptions): Call<ApiKey> {
    return this.call('get', '/api-keys/{id}', { ids: [id], options })
  }

  /** Changes the given fields of an API key. */
  update(id: string, body: UpdateApiKeyRequest = {}, options?: CallOptions): Call<ApiKey> {
    return this.call('patch', '/api-keys/{id}', { ids: [id], body, options })
  }

  /** Revokes a key within a second. */
  revoke(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/api-keys/{id}', { ids: [id], options, isSafe: true })
  }
}

/** Usage, alerts, metrics, the audit log and retention of the team. */
export class Account extends Resource {
  /** Returns the plan, its quotas, and their use. */
  usage(options?: CallOptions): Call<Usage> {
    return this.call('get', '/usage', { options })
  }

  /** Returns the emails of a period by their status, with quotas and alerts. */
  summary(query?: Filters<'/summary'>, options?: CallOptions): Call<Summary> {
    return this.call('get', '/summary', { query, options })
  }

  /** Lists problems that need attention. */
  alerts(query?: Filters<'/attention'>, options?: CallOptions): ListCall<AlertList> {
    return this.page('/attention', query, options)
  }

  /** Returns what the team needs to send real email. */
  goLive(options?: CallOptions): Call<GoLive> {
    return this.call('get', '/go-live', { options })
  }

  /** Lists who changed what, newest first. */
  auditLog(query?: Filters<'/audit'>, options?: CallOptions): ListCall<AuditEntryList> {
    return this.page('/audit', query, options)
  }

  /** Returns how long data is stored. */
  retention(options?: CallOptions): Call<Retention> {
    return this.call('get', '/retention', { options })
  }

  /** Changes how long data is stored. */
  updateRetention(body: UpdateRetentionRequest = {}, options?: CallOptions): Call<Retention> {
    return this.call('patch', '/retention', { body, options })
  }
}

/** Messages that capture mode stores instead of sending. */
export class Captured extends Resource {
  /** Lists captured messages, newest first. */
  list(query?: Filters<'/captured'>, options?: CallOptions): ListCall<CapturedEmailSummaryList> {
    return this.page('/captured', query, options)
  }

  /** Returns a captured message with its content. */
  get(id: string, options?: CallOptions): Call<CapturedEmail> {
    return this.call('get', '/captured/{id}', { ids: [id], options })
  }

  /** Deletes all captured messages of the team. */
  clear(options?: CallOptions): Call<DeleteCapturedEmailsResponse> {
    return this.call('delete', '/captured', { options })
  }
}
