import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  Campaign,
  CampaignAudience,
  CampaignChecks,
  CampaignEstimate,
  CampaignLinkList,
  CampaignMetrics,
  CampaignPreview,
  CampaignRecipientList,
  CampaignRetry,
  CampaignSummaryList,
  CampaignTest,
  ContactList,
  CountSegmentContactsRequest,
  CreateCampaignRequest,
  CreateSegmentRequest,
  Deleted,
  PreviewCampaignAudienceRequest,
  PreviewCampaignRequest,
  Segment,
  SegmentCount,
  SegmentList,
  SendCampaignRequest,
  TestCampaignRequest,
  UpdateCampaignRequest,
  UpdateSegmentRequest,
} from '../types.ts'

/** Conditions that select contacts. */
export class Segments extends Resource {
  /** Creates a segment. */
  create(body: CreateSegmentRequest, options?: CallOptions): Call<Segment> {
    return this.call('post', '/segments', { body, options })
  }

  /** Lists segments, newest first. */
  list(query?: Filters<'/segments'>, options?: CallOptions): ListCall<SegmentList> {
    return this.page('/segments', query, options)
  }

  /** Returns a segment. */
  get(id: string, options?: CallOptions): Call<Segment> {
    return this.call('get', '/segments/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a segment. */
  update(id: string, body: UpdateSegmentRequest = {}, options?: CallOptions): Call<Segment> {
    return this.call('patch', '/segments/{id}', { ids: [id], body, options })
  }

  /** Deletes a segment. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/segments/{id}', { ids: [id], options })
  }

  /** Counts the contacts that match filters, with a few examples. */
  count(body: CountSegmentContactsRequest = {}, options?: CallOptions): Call<SegmentCount> {
    return this.call('post', '/segments/count', { body, options, isSafe: true })
  }

  /** Lists the contacts that match a segment now. */
  contacts(
    id: string,
    query?: Filters<'/segments/{id}/contacts'>,
    options?: CallOptions,
  ): ListCall<ContactList> {
    return this.page('/segments/{id}/contacts', query, options, [id])
  }
}

/** Emails to a list or a segment. */
export class Campaigns extends Resource {
  /** Creates a campaign. */
  create(body: CreateCampaignRequest, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns', { body, options })
  }

  /** Lists campaigns, newest first. */
  list(query?: Filters<'/campaigns'>, options?: CallOptions): ListCall<CampaignSummaryList> {
    return this.page('/campaigns', query, options)
  }

  /** Returns a campaign. */
  get(id: string, options?: CallOptions): Call<Campaign> {
    return this.call('get', '/campaigns/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a campaign. */
  update(id: string, body: UpdateCampaignRequest = {}, options?: CallOptions): Call<Campaign> {
    return this.call('patch', '/campaigns/{id}', { ids: [id], body, options })
  }

  /** Returns what became of the emails of a campaign. */
  metrics(id: string, options?: CallOptions): Call<CampaignMetrics> {
    return this.call('get', '/campaigns/{id}/metrics', { ids: [id], options })
  }

  /** Deletes a campaign. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/campaigns/{id}', { ids: [id], options })
  }

  /** Sends a campaign, now or at a given time. */
  send(id: string, body: SendCampaignRequest = {}, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns/{id}/send', { ids: [id], body, options })
  }

  /** Pauses a campaign. */
  pause(id: string, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns/{id}/pause', { ids: [id], options, isSafe: true })
  }

  /** Resumes a paused campaign. */
  resume(id: string, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns/{id}/resume', { ids: [id], options, isSafe: true })
  }

  /** Cancels a campaign. */
  cancel(id: string, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns/{id}/cancel', { ids: [id], options, isSafe: true })
  }

  /** Copies a campaign into a draft. */
  duplicate(id: string, options?: CallOptions): Call<Campaign> {
    return this.call('post', '/campaigns/{id}/duplicate', { ids: [id], options })
  }

  /** Sends a campaign again to the recipients that failed. */
  retry(id: string, options?: CallOptions): Call<CampaignRetry> {
    return this.call('post', '/campaigns/{id}/retry', { ids: [id], options })
  }

  /** Lists the recipients of a campaign, newest contact first. */
  recipients(
    id: string,
    query?: Filters<'/campaigns/{id}/recipients'>,
    options?: CallOptions,
  ): ListCall<CampaignRecipientList> {
    return this.page('/campaigns/{id}/recipients', query, options, [id])
  }

  /** Lists the clicked links of a campaign, most recipients first. */
  links(
    id: string,
    query?: Filters<'/campaigns/{id}/links'>,
    options?: CallOptions,
  ): ListCall<CampaignLinkList> {
    return this.page('/campaigns/{id}/links', query, options, [id])
  }

  /** Returns the recipients of a campaign as a stream of CSV. */
  exportRecipients(
    id: string,
    query?: Filters<'/campaigns/{id}/recipients/export'>,
    options?: CallOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return this.download('/campaigns/{id}/recipients/export', { ids: [id], query, options })
  }

  /** Counts who would get a campaign, without storing anything. */
  previewAudience(body: PreviewCampaignAudienceRequest = {}, options?: CallOptions): Call<CampaignAudience> {
    return this.call('post', '/campaigns/audience', { body, options, isSafe: true })
  }

  /** Renders a campaign as a contact would get it, or with fallbacks only. */
  preview(id: string, body: PreviewCampaignRequest = {}, options?: CallOptions): Call<CampaignPreview> {
    return this.call('post', '/campaigns/{id}/preview', { ids: [id], body, options, isSafe: true })
  }

  /** Sends a campaign to up to 10 addresses, as a test. */
  test(id: string, body: TestCampaignRequest, options?: CallOptions): Call<CampaignTest> {
    return this.call('post', '/campaigns/{id}/test', { ids: [id], body, options })
  }

  /** Lists what keeps a campaign from being sent, and what to mend. */
  check(id: string, options?: CallOptions): Call<CampaignChecks> {
    return this.call('get', '/campaigns/{id}/checks', { ids: [id], options })
  }

  /** Estimates when a campaign begins and ends if it is sent now, or at a time. */
  estimate(
    id: string,
    query?: Filters<'/campaigns/{id}/estimate'>,
    options?: CallOptions,
  ): Call<CampaignEstimate> {
    return this.call('get', '/campaigns/{id}/estimate', { ids: [id], query, options })
  }
}
