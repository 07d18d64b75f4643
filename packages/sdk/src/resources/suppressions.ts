import { type Csv, type Filters, Resource, type UploadOptions } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateUnsubscriptionRequest,
  Deleted,
  Import,
  ImportErrorList,
  ImportSummary,
  ImportSummaryList,
  RemoveSuppressionsRequest,
  SuppressAddressesRequest,
  SuppressAddressRequest,
  Suppression,
  SuppressionList,
  SuppressionsAdded,
  SuppressionsRemoved,
  Unsubscription,
  UnsubscriptionList,
  UpdateSuppressionRequest,
} from '../types.ts'

/** Addresses that get no email. An `id` can also be an address. */
export class Suppressions extends Resource {
  /** Suppresses an address. Returns the existing entry if there is one. */
  add(body: SuppressAddressRequest, options?: CallOptions): Call<Suppression> {
    return this.call('post', '/suppressions', { body, options, isSafe: true })
  }

  /** Suppresses up to 1,000 addresses. */
  addMany(body: SuppressAddressesRequest, options?: CallOptions): Call<SuppressionsAdded> {
    return this.call('post', '/suppressions/batch/add', { body, options, isSafe: true })
  }

  /** Lists suppressions, newest first. */
  list(query?: Filters<'/suppressions'>, options?: CallOptions): ListCall<SuppressionList> {
    return this.page('/suppressions', query, options)
  }

  /** Returns a suppression. */
  get(id: string, options?: CallOptions): Call<Suppression> {
    return this.call('get', '/suppressions/{id}', { ids: [id], options })
  }

  /** Changes the reason of a suppression. */
  update(id: string, body: UpdateSuppressionRequest = {}, options?: CallOptions): Call<Suppression> {
    return this.call('patch', '/suppressions/{id}', { ids: [id], body, options })
  }

  /** Removes a suppression, so that the address gets email again. */
  remove(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/suppressions/{id}', { ids: [id], options })
  }

  /** Removes up to 1,000 suppressions. */
  removeMany(body: RemoveSuppressionsRequest = {}, options?: CallOptions): Call<SuppressionsRemoved> {
    return this.call('post', '/suppressions/batch/remove', { body, options, isSafe: true })
  }

  /** Imports suppressions from CSV. Returns before the import has finished. */
  import(
    csv: Csv,
    query?: UploadOptions<'/suppressions/import'>,
    options?: CallOptions,
  ): Call<ImportSummary> {
    return this.call('post', '/suppressions/import', { csv, query, options })
  }

  /** Lists imports of suppressions, newest first. */
  imports(query?: Filters<'/suppressions/imports'>, options?: CallOptions): ListCall<ImportSummaryList> {
    return this.page('/suppressions/imports', query, options)
  }

  /** Returns the progress of an import. */
  getImport(id: string, options?: CallOptions): Call<Import> {
    return this.call('get', '/suppressions/imports/{id}', { ids: [id], options })
  }

  /** Lists the rows that an import rejected, in line order. */
  importErrors(
    id: string,
    query?: Filters<'/suppressions/imports/{id}/errors'>,
    options?: CallOptions,
  ): ListCall<ImportErrorList> {
    return this.page('/suppressions/imports/{id}/errors', query, options, [id])
  }

  /** Returns the suppressions that match as a stream of CSV. */
  export(query?: Filters<'/suppressions/export'>, options?: CallOptions): Call<ReadableStream<Uint8Array>> {
    return this.download('/suppressions/export', { query, options })
  }
}

/** Addresses that unsubscribed from a list or a topic. */
export class Unsubscriptions extends Resource {
  /** Unsubscribes an address. Returns the existing entry if there is one. */
  create(body: CreateUnsubscriptionRequest, options?: CallOptions): Call<Unsubscription> {
    return this.call('post', '/unsubscriptions', { body, options, isSafe: true })
  }

  /** Lists unsubscriptions, newest first. */
  list(query?: Filters<'/unsubscriptions'>, options?: CallOptions): ListCall<UnsubscriptionList> {
    return this.page('/unsubscriptions', query, options)
  }

  /** Deletes an unsubscription, so that the address gets email again. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/unsubscriptions/{id}', { ids: [id], options })
  }
}
