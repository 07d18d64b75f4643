import { type Csv, type Filters, Resource, type UploadOptions } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  AddContactToListsRequest,
  Contact,
  ContactList,
  CreateContactRequest,
  CreateListRequest,
  CreatePropertyRequest,
  Deleted,
  DeletedContact,
  DeletedListMembership,
  DeletedSegmentMembership,
  ErasePersonRequest,
  Erasure,
  Import,
  ImportErrorList,
  ImportSummary,
  ImportSummaryList,
  List,
  ListList,
  Property,
  PropertyList,
  SegmentList,
  SegmentMembership,
  UpdateContactRequest,
  UpdateListRequest,
  UpdatePropertyRequest,
} from '../types.ts'

/** The people you write to. An `id` can also be an address. */
export class Contacts extends Resource {
  /** Creates a contact. */
  create(body: CreateContactRequest, options?: CallOptions): Call<Contact> {
    return this.call('post', '/contacts', { body, options })
  }

  /** Lists contacts, newest first. */
  list(query?: Filters<'/contacts'>, options?: CallOptions): ListCall<ContactList> {
    return this.page('/contacts', query, options)
  }

  /** Returns a contact. */
  get(id: string, options?: CallOptions): Call<Contact> {
    return this.call('get', '/contacts/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a contact. */
  update(id: string, body: UpdateContactRequest = {}, options?: CallOptions): Call<Contact> {
    return this.call('patch', '/contacts/{id}', { ids: [id], body, options })
  }

  /** Deletes a contact. */
  delete(id: string, options?: CallOptions): Call<DeletedContact> {
    return this.call('delete', '/contacts/{id}', { ids: [id], options })
  }

  /** Lists the lists of a contact. */
  lists(id: string, query?: Filters<'/contacts/{id}/lists'>, options?: CallOptions): ListCall<ListList> {
    return this.page('/contacts/{id}/lists', query, options, [id])
  }

  /** Adds a contact to lists. */
  addToLists(id: string, body: AddContactToListsRequest, options?: CallOptions): Call<Contact> {
    return this.call('post', '/contacts/{id}/lists', { ids: [id], body, options, isSafe: true })
  }

  /** Removes a contact from a list. The contact is kept. */
  removeFromList(id: string, listId: string, options?: CallOptions): Call<DeletedListMembership> {
    return this.call('delete', '/contacts/{id}/lists/{listId}', {
      ids: [id, listId],
      options,
      isSafe: true,
    })
  }

  /** Lists the segments that a contact matches now. */
  segments(
    id: string,
    query?: Filters<'/contacts/{id}/segments'>,
    options?: CallOptions,
  ): ListCall<SegmentList> {
    return this.page('/contacts/{id}/segments', query, options, [id])
  }

  /** Adds a contact to a segment without conditions of its own, or with a list as its only condition. */
  addToSegment(id: string, segmentId: string, options?: CallOptions): Call<SegmentMembership> {
    return this.call('post', '/contacts/{id}/segments/{segmentId}', {
      ids: [id, segmentId],
      options,
      isSafe: true,
    })
  }

  /** Removes a contact from such a segment. The contact is kept. */
  removeFromSegment(id: string, segmentId: string, options?: CallOptions): Call<DeletedSegmentMembership> {
    return this.call('delete', '/contacts/{id}/segments/{segmentId}', {
      ids: [id, segmentId],
      options,
      isSafe: true,
    })
  }

  /** Imports contacts from CSV, whose first line names the columns. Returns before the import has finished. */
  import(csv: Csv, query?: UploadOptions<'/contacts/import'>, options?: CallOptions): Call<ImportSummary> {
    return this.call('post', '/contacts/import', { csv, query, options })
  }

  /** Lists imports of contacts, newest first. */
  imports(query?: Filters<'/contacts/imports'>, options?: CallOptions): ListCall<ImportSummaryList> {
    return this.page('/contacts/imports', query, options)
  }

  /** Returns the progress of an import. */
  getImport(id: string, options?: CallOptions): Call<Import> {
    return this.call('get', '/contacts/imports/{id}', { ids: [id], options })
  }

  /** Lists the rows that an import rejected, in line order. */
  importErrors(
    id: string,
    query?: Filters<'/contacts/imports/{id}/errors'>,
    options?: CallOptions,
  ): ListCall<ImportErrorList> {
    return this.page('/contacts/imports/{id}/errors', query, options, [id])
  }

  /** Returns the contacts that match as a stream of CSV. */
  export(query?: Filters<'/contacts/export'>, options?: CallOptions): Call<ReadableStream<Uint8Array>> {
    return this.download('/contacts/export', { query, options })
  }

  /** Erases all data about a person. Returns before the erasure has finished. */
  erase(id: string, body: ErasePersonRequest = {}, options?: CallOptions): Call<Erasure> {
    return this.call('post', '/contacts/{id}/erase', { ids: [id], body, options, isSafe: true })
  }

  /** Returns the progress of an erasure. */
  getErasure(id: string, options?: CallOptions): Call<Erasure> {
    return this.call('get', '/erasures/{id}', { ids: [id], options })
  }

  /** Returns all data about a person as a stream of JSON. */
  exportPerson(id: string, options?: CallOptions): Call<ReadableStream<Uint8Array>> {
    return this.download('/contacts/{id}/export', { ids: [id], options })
  }
}

/** Groups of contacts that you choose. */
export class Lists extends Resource {
  /** Creates a list. */
  create(body: CreateListRequest, options?: CallOptions): Call<List> {
    return this.call('post', '/lists', { body, options })
  }

  /** Lists lists, newest first. */
  list(query?: Filters<'/lists'>, options?: CallOptions): ListCall<ListList> {
    return this.page('/lists', query, options)
  }

  /** Returns a list. */
  get(id: string, options?: CallOptions): Call<List> {
    return this.call('get', '/lists/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a list. */
  update(id: string, body: UpdateListRequest = {}, options?: CallOptions): Call<List> {
    return this.call('patch', '/lists/{id}', { ids: [id], body, options })
  }

  /** Deletes a list. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/lists/{id}', { ids: [id], options })
  }

  /** Lists the contacts in a list. */
  contacts(
    id: string,
    query?: Filters<'/lists/{id}/contacts'>,
    options?: CallOptions,
  ): ListCall<ContactList> {
    return this.page('/lists/{id}/contacts', query, options, [id])
  }
}

/** Custom fields of contacts. */
export class Properties extends Resource {
  /** Creates a property. */
  create(body: CreatePropertyRequest, options?: CallOptions): Call<Property> {
    return this.call('post', '/properties', { body, options })
  }

  /** Lists properties, newest first. */
  list(query?: Filters<'/properties'>, options?: CallOptions): ListCall<PropertyList> {
    return this.page('/properties', query, options)
  }

  /** Returns a property. */
  get(id: string, options?: CallOptions): Call<Property> {
    return this.call('get', '/properties/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a property. */
  update(id: string, body: UpdatePropertyRequest = {}, options?: CallOptions): Call<Property> {
    return this.call('patch', '/properties/{id}', { ids: [id], body, options })
  }

  /** Deletes a property. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/properties/{id}', { ids: [id], options })
  }
}
