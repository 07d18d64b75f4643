import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateTeamRequest,
  InstallationHealth,
  InviteToTeamRequest,
  ListSitesResponse,
  ListTeamsResponse,
  NodeList,
  OperatorTeam,
  PauseSiteRequest,
  PauseSiteResponse,
  PauseTeamRequest,
  PlanList,
  Queue,
  ResumeSiteResponse,
  SentInvitation,
  ServerChecks,
  Shaping,
  UpdateOperatorTeamRequest,
} from '../types.ts'

/** For operators: teams, sites, and the state of the installation. Needs the operator token as `apiKey`. */
export class Operator extends Resource {
  /** Lists teams. */
  teams(query?: Filters<'/operator/teams'>, options?: CallOptions): ListCall<ListTeamsResponse> {
    return this.page('/operator/teams', query, options)
  }

  /** Creates a team. */
  createTeam(body: CreateTeamRequest, options?: CallOptions): Call<OperatorTeam> {
    return this.call('post', '/operator/teams', { body, options })
  }

  /** Returns a team. */
  getTeam(id: string, options?: CallOptions): Call<OperatorTeam> {
    return this.call('get', '/operator/teams/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a team. */
  updateTeam(id: string, body: UpdateOperatorTeamRequest = {}, options?: CallOptions): Call<OperatorTeam> {
    return this.call('patch', '/operator/teams/{id}', { ids: [id], body, options })
  }

  /** Pauses the sending of a team. */
  pauseTeam(id: string, body: PauseTeamRequest, options?: CallOptions): Call<OperatorTeam> {
    return this.call('post', '/operator/teams/{id}/pause', { ids: [id], body, options, isSafe: true })
  }

  /** Resumes the sending of a team. */
  resumeTeam(id: string, options?: CallOptions): Call<OperatorTeam> {
    return this.call('post', '/operator/teams/{id}/resume', { ids: [id], options, isSafe: true })
  }

  /** Invites a person to a team. */
  invite(id: string, body: InviteToTeamRequest, options?: CallOptions): Call<SentInvitation> {
    return this.call('post', '/operator/teams/{id}/invitations', { ids: [id], body, options })
  }

  /** Lists the plans. */
  plans(query?: Filters<'/operator/plans'>, options?: CallOptions): ListCall<PlanList> {
    return this.page('/operator/plans', query, options)
  }

  /** Returns the state of the queue. */
  queue(options?: CallOptions): Call<Queue> {
    return this.call('get', '/operator/queue', { options })
  }

  /** Lists the mail servers that email goes to. */
  sites(query?: Filters<'/sites'>, options?: CallOptions): ListCall<ListSitesResponse> {
    return this.page('/sites', query, options)
  }

  /** Pauses deliveries to a site. */
  pauseSite(name: string, body: PauseSiteRequest, options?: CallOptions): Call<PauseSiteResponse> {
    return this.call('post', '/sites/{name}/pause', { ids: [name], body, options, isSafe: true })
  }

  /** Resumes deliveries to a site. */
  resumeSite(name: string, options?: CallOptions): Call<ResumeSiteResponse> {
    return this.call('post', '/sites/{name}/resume', { ids: [name], options })
  }

  /** Returns the shaping rules in force. */
  shaping(options?: CallOptions): Call<Shaping> {
    return this.call('get', '/operator/shaping', { options })
  }

  /** Lists the running processes. */
  nodes(query?: Filters<'/operator/nodes'>, options?: CallOptions): ListCall<NodeList> {
    return this.page('/operator/nodes', query, options)
  }

  /** Returns the health of the installation. */
  health(options?: CallOptions): Call<InstallationHealth> {
    return this.call('get', '/operator/health', { options })
  }

  /** Returns the last run of the server checks. */
  serverChecks(options?: CallOptions): Call<ServerChecks> {
    return this.call('get', '/operator/server-checks', { options })
  }

  /** Runs the server checks, at most once a minute. */
  runServerChecks(options?: CallOptions): Call<ServerChecks> {
    return this.call('post', '/operator/server-checks', { options, isSafe: true })
  }
}
