import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions, Transport } from '../transport.ts'
import type {
  Automation,
  AutomationDryRun,
  AutomationFigures,
  AutomationList,
  AutomationMove,
  AutomationRun,
  AutomationRunList,
  AutomationRunTrail,
  CreateAutomationRequest,
  Deleted,
  DryRunAutomationRequest,
  ListAutomationVersionsResponse,
  MoveAutomationRunsRequest,
  StartAutomationRunRequest,
  UpdateAutomationRequest,
} from '../types.ts'

/** Steps that follow a trigger for a contact. */
export class Automations extends Resource {
  readonly runs: AutomationRuns

  constructor(transport: Transport) {
    super(transport)
    this.runs = new AutomationRuns(transport)
  }

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

  /** Deletes an automation, which ends its runs. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/automations/{id}', { ids: [id], options })
  }

  /** Pauses an automation. */
  stop(id: string, options?: CallOptions): Call<Automation> {
    return this.call('post', '/automations/{id}/stop', { ids: [id], options, isSafe: true })
  }

  /** Copies an automation into a draft. */
  duplicate(id: string, options?: CallOptions): Call<Automation> {
    return this.call('post', '/automations/{id}/duplicate', { ids: [id], options })
  }

  /** Lists the versions of an automation, newest first. */
  versions(id: string, options?: CallOptions): Call<ListAutomationVersionsResponse> {
    return this.call('get', '/automations/{id}/versions', { ids: [id], options })
  }

  /** Moves the waiting runs of an earlier version to the current one. */
  moveRuns(id: string, body: MoveAutomationRunsRequest, options?: CallOptions): Call<AutomationMove> {
    return this.call('post', '/automations/{id}/move-runs', { ids: [id], body, options, isSafe: true })
  }

  /** Returns what a run would do for a contact, without sending or changing anything. */
  dryRun(id: string, body: DryRunAutomationRequest = {}, options?: CallOptions): Call<AutomationDryRun> {
    return this.call('post', '/automations/{id}/dry-run', { ids: [id], body, options, isSafe: true })
  }

  /** Returns how many runs came to each step of an automation, and what became of its emails. */
  figures(
    id: string,
    query?: Filters<'/automations/{id}/figures'>,
    options?: CallOptions,
  ): Call<AutomationFigures> {
    return this.call('get', '/automations/{id}/figures', { ids: [id], query, options })
  }
}

/** Contacts on their way through an automation. */
export class AutomationRuns extends Resource {
  /** Lists the runs of an automation, newest first. */
  list(
    id: string,
    query?: Filters<'/automations/{id}/runs'>,
    options?: CallOptions,
  ): ListCall<AutomationRunList> {
    return this.page('/automations/{id}/runs', query, options, [id])
  }

  /** Returns a run with each step that it took. */
  get(id: string, runId: string, options?: CallOptions): Call<AutomationRunTrail> {
    return this.call('get', '/automations/{id}/runs/{runId}', { ids: [id, runId], options })
  }

  /** Begins a run of an automation with the trigger `api`. */
  start(id: string, body: StartAutomationRunRequest = {}, options?: CallOptions): Call<AutomationRun> {
    return this.call('post', '/automations/{id}/runs', { ids: [id], body, options })
  }

  /** Ends a run where it is. */
  cancel(id: string, runId: string, options?: CallOptions): Call<AutomationRun> {
    return this.call('post', '/automations/{id}/runs/{runId}/cancel', { ids: [id, runId], options })
  }

  /** Takes the last step of a failed run again. */
  retry(id: string, runId: string, options?: CallOptions): Call<AutomationRun> {
    return this.call('post', '/automations/{id}/runs/{runId}/retry', { ids: [id, runId], options })
  }
}
