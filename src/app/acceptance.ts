import { createAcceptBatcher } from '../emails/accept/accept-batch.ts'
import { type AcceptEmailDeps, createAcceptEmail } from '../emails/accept/accept-email.ts'
import { createAcceptEmails } from '../emails/accept/accept-emails.ts'
import { createAcceptMime } from '../emails/accept/accept-mime.ts'
import { createAcceptSubmission } from '../emails/accept/accept-submission.ts'
import { type AcceptRequest, type HandOff, isBulkOnly } from '../emails/accept/accept-types.ts'
import { createKnownMessageIds } from '../emails/accept/message-ids-queries.ts'
import { createResendEmail } from '../emails/accept/resend-email.ts'
import { createUnsubscribeHeaders } from '../emails/accept/unsubscribe-links.ts'
import { createTracker } from '../emails/content/tracker.ts'
import { createFileFetcher } from '../emails/files/fetch-file.ts'
import { createRequestFiles } from '../emails/files/request-files.ts'
import { createIdempotent } from '../emails/idempotency/idempotency.ts'
import { markStep } from '../lib/email-steps.ts'
import type { Backpressure } from '../queue/backpressure.ts'
import { createTeamTags } from '../teams/team-tags-queries.ts'
import { createTemplateCache } from '../templates/template-cache.ts'
import { createFindTracking } from '../tracking/domain-tracking.ts'
import type { Runtime } from './runtime.ts'

interface Parts {
  backpressure: Backpressure
  /** The delivery engine of this process, or null if other processes deliver. */
  handOff: HandOff | null
}

export type Acceptance = ReturnType<typeof createAcceptance>

/** Creates the operations that accept email. The HTTP API and SMTP submission share them and their batches. */
export function createAcceptance(runtime: Runtime, { backpressure, handOff }: Parts) {
  const { config, clock, nodeId, keys, due, lifecycle } = runtime
  const { api: db } = runtime.pools
  const files = createFileFetcher({
    guard: runtime.guard,
    ports: config.attachmentPorts,
    addressesOf: runtime.hostAddresses,
  })
  lifecycle.add('attachment fetcher', () => files.close())
  const accepting = createAcceptBatcher({
    db,
    clock,
    hashAddress: runtime.hashAddress,
    nodeId,
    messageLifetimeMs: config.messageLifetimeMs,
    handOff,
    wake: () => due.notify(),
  })
  const templates = createTemplateCache(db)
  const expectations = createExpectations(backpressure)
  const deps: AcceptEmailDeps = {
    clock,
    openFiles: createRequestFiles(files.fetchFile),
    templates,
    track: createTracker(keys.trackingLinks, createFindTracking(db, config.publicUrl)),
    unsubscribeHeaders: createUnsubscribeHeaders({
      linkKey: keys.unsubscribeLinks,
      addressKey: keys.unsubscribeAddresses,
      publicUrl: config.publicUrl,
      hostname: config.hostname,
      findTeamTag: createTeamTags(db),
    }),
    messageIds: createKnownMessageIds(db),
    commit(acceptRequest) {
      for (const { emailId } of acceptRequest.submissions) markStep(emailId, 'composed')
      expectations.record(acceptRequest)
      return accepting.add(acceptRequest)
    },
  }
  const idempotent = createIdempotent({ db, clock })
  const acceptEmail = createAcceptEmail(deps)
  return {
    expectMail: expectations.expectMail,
    acceptEmail,
    resendEmail: createResendEmail({
      db,
      readBody: runtime.bodies.read,
      clock,
      acceptEmail,
      commit: deps.commit,
      trackingKey: keys.trackingLinks,
    }),
    acceptMime: createAcceptMime(deps),
    acceptEmails: createAcceptEmails(deps),
    acceptSubmission: createAcceptSubmission({ ...deps, idempotent }),
    idempotent,
    findTemplate: templates.find,
  }
}

/** Announces mail to the backlogs, which yield to transactional mail only. */
function createExpectations(backpressure: Backpressure) {
  const bulkTeams = new Set<string>()
  return {
    /**
     * Called when a send request of this team arrives. Guesses its class from the team's last one, until it is read.
     */
    expectMail(teamId: string): void {
      if (!bulkTeams.has(teamId)) backpressure.expect(teamId)
    },
    /** Records the class of a request that has been read. */
    record(request: AcceptRequest): void {
      const { teamId } = request.submitter
      if (isBulkOnly(request)) bulkTeams.add(teamId)
      else {
        bulkTeams.delete(teamId)
        backpressure.expect(teamId)
      }
    },
  }
}
