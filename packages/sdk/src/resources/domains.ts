import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateDomainRequest,
  CreateSenderRequest,
  Deleted,
  DnsProvider,
  Domain,
  DomainSummaryList,
  Sender,
  SenderList,
  UpdateDomainRequest,
  UpdateSenderRequest,
} from '../types.ts'

/** The domains you send from. */
export class Domains extends Resource {
  /** Creates a domain. */
  create(body: CreateDomainRequest, options?: CallOptions): Call<Domain> {
    return this.call('post', '/domains', { body, options })
  }

  /** Lists domains, newest first. */
  list(query?: Filters<'/domains'>, options?: CallOptions): ListCall<DomainSummaryList> {
    return this.page('/domains', query, options)
  }

  /** Returns a domain. */
  get(id: string, options?: CallOptions): Call<Domain> {
    return this.call('get', '/domains/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a domain. */
  update(id: string, body: UpdateDomainRequest = {}, options?: CallOptions): Call<Domain> {
    return this.call('patch', '/domains/{id}', { ids: [id], body, options })
  }

  /** Deletes a domain. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/domains/{id}', { ids: [id], options })
  }

  /** Returns the DNS records as a text: a zone file, or commands for a DNS provider. */
  records(id: string, query?: Filters<'/domains/{id}/records'>, options?: CallOptions): Call<Uint8Array> {
    return this.bytes('/domains/{id}/records', { ids: [id], query, options })
  }

  /** Returns the provider that hosts the zone of a domain. */
  provider(id: string, options?: CallOptions): Call<DnsProvider> {
    return this.call('get', '/domains/{id}/provider', { ids: [id], options })
  }

  /** Looks up the DNS records of a domain now. */
  verify(id: string, options?: CallOptions): Call<Domain> {
    return this.call('post', '/domains/{id}/verify', { ids: [id], options, isSafe: true })
  }
}

/** Names and addresses that templates and campaigns send from. */
export class Senders extends Resource {
  /** Creates a sender. */
  create(body: CreateSenderRequest, options?: CallOptions): Call<Sender> {
    return this.call('post', '/senders', { body, options })
  }

  /** Lists senders, newest first. */
  list(query?: Filters<'/senders'>, options?: CallOptions): ListCall<SenderList> {
    return this.page('/senders', query, options)
  }

  /** Returns a sender. */
  get(id: string, options?: CallOptions): Call<Sender> {
    return this.call('get', '/senders/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a sender. */
  update(id: string, body: UpdateSenderRequest = {}, options?: CallOptions): Call<Sender> {
    return this.call('patch', '/senders/{id}', { ids: [id], body, options })
  }

  /** Deletes a sender. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/senders/{id}', { ids: [id], options })
  }
}
