import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  Automation,
  AutomationList,
  Campaign,
  CampaignAudience,
  CampaignChecks,
  CampaignPreview,
  CampaignSummaryList,
  CampaignTest,
  ContactList,
  CountSegmentContactsRequest,
  CreateAutomationRequest,
  CreateCampaignRequest,
  CreateSegmentRequest,
  Deleted,
  PreviewCampaignAudienceRequest,
  PreviewCampaignRequest,
  Segment,
  SegmentCount,
  SegmentList,
  TestCampaignRequest,
  UpdateAutomationRequest,
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

  /** Deletes a campaign. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/campaigns/{id}', { ids: [id], options })
  }

  /** Counts who would get a campaign, without storing anything. */
  previewAudience(body: PreviewCampaignAudienceRequest = {}, options?: CallOptions): Call<CampaignAudience> {
    return this.call('post', '/campaigns/audience', { body, options, isSafe: true })
  }

  /** Renders a campaign as a contact would get it. */
  preview(id: string, body: PreviewCampaignRequest = {}, options?: CallOptions): Call<CampaignPreview> {
    return this.call('post', '/campaigns/{id}/preview', { ids: [id], body, options, isSafe: true })
  }

  /** Sends the content of a campaign to up to ten addresses. */
  test(id: string, body: TestCampaignRequest, options?: CallOptions): Call<CampaignTest> {
    return this.call('post', '/campaigns/{id}/test', { ids: [id], body, options })
  }

  /** Lists what to mend in a campaign before it is sent. */
  check(id: string, options?: CallOptions): Call<CampaignChecks> {
    return this.call('get', '/campaigns/{id}/checks', { ids: [id], options })
  }
}

/** Steps that follow a trigger. */
export class Automations extends Resource {
  /** Creates an automation. */
  create(body: CreateAutomationRequest, options?: CallOptions): Call<Automation> {
    return this.call('post', '/automations', { body, options })
  }

  /** Lists automations, newest first. */
  list(query?: Filters<'/automations'>, options?: CallOptions): ListCall<AutomationList> {
    return this.page('/automations', query, options)
  }

  /** Returns an automation. */
  get(id: string, options?: CallOptions): Call<Automation> {
    return this.call('get', '/automations/{id}', { ids: [id], options })
  }

  /** Changes the given fields of an automation. */
  update(id: string, body: UpdateAutomationRequest = {}, options?: CallOptions): Call<Automation> {
    return this.call('patch', '/automations/{id}', { ids: [id], body, options })
  }

  /** Deletes an automation. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/automations/{id}', { ids: [id], options })
  }
}
