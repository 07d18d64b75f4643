import { createAuthenticator } from '../access/authenticate.ts'
import { createRateLimiter } from '../access/rate-limit.ts'
import { createSessionAccess } from '../access/session-access.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { createAcceptBatcher } from '../emails/accept/accept-batch.ts'
import { type AcceptEmailDeps, createAcceptEmail } from '../emails/accept/accept-email.ts'
import { createAcceptEmails } from '../emails/accept/accept-emails.ts'
import { createAcceptMime } from '../emails/accept/accept-mime.ts'
import { createAcceptSubmission } from '../emails/accept/accept-submission.ts'
import type { HandOff } from '../emails/accept/accept-types.ts'
import { createResendEmail } from '../emails/accept/resend-email.ts'
import { createUnsubscribeHeaders } from '../emails/accept/unsubscribe-links.ts'
import { createTracker } from '../emails/content/tracker.ts'
import { createFileFetcher } from '../emails/files/fetch-file.ts'
import { createRequestFiles } from '../emails/files/request-files.ts'
import { createIdempotent } from '../emails/idempotency/idempotency.ts'
import type { Signal } from '../lib/async/signal.ts'
import { createHashAddress } from '../lib/crypto/erased-address.ts'
import { deriveKey, TRACKING_LINKS, UNSUBSCRIBE_ADDRESSES, UNSUBSCRIBE_LINKS } from '../lib/crypto/seal.ts'
import type { Log } from '../lib/log.ts'
import { createGuard } from '../lib/net/egress-guard.ts'
import { createHostAddresses } from '../lib/net/host-addresses.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Backpressure } from '../queue/backpressure.ts'
import { createTeamTags } from '../teams/team-tags-queries.ts'
import { createTemplateCache } from '../templates/template-cache.ts'
import { createFindTracking } from '../tracking/domain-tracking.ts'

interface Parts {
  config: Config
  /** With the API's short patience. */
  db: Db
  clock: Clock
  secret: Buffer
  nodeId: string
  backpressure: Backpressure
  due: Signal
  /** Delivery in this process; null: other processes deliver. */
  handOff: HandOff | null
  stops: (() => Promise<void>)[]
}

export type Acceptance = ReturnType<typeof assembleAcceptance>

/** The one way in: what the HTTP API and SMTP submission accept, they accept by these, in the same batches. */
export function assembleAcceptance(parts: Parts) {
  const { config, db, clock, secret, nodeId, backpressure, due, handOff, stops } = parts
  const files = createFileFetcher({
    guard: createGuard({ allowPrivate: config.allowPrivateNetworks }),
    ports: config.attachmentPorts,
    addressesOf: createHostAddresses({ dnsServers: config.dnsServers, clock }),
  })
  stops.push(() => files.close())
  const accepting = createAcceptBatcher({
    db,
    clock,
    hashAddress: createHashAddress(secret),
    nodeId,
    messageLifetimeMs: config.messageLifetimeMs,
    handOff,
    wake: () => due.notify(),
  })
  const templates = createTemplateCache(db)
  const deps: AcceptEmailDeps = {
    clock,
    openFiles: createRequestFiles(files.fetchFile),
    templates,
    track: createTracker(deriveKey(secret, TRACKING_LINKS), createFindTracking(db, config.publicUrl)),
    unsubscribeHeaders: createUnsubscribeHeaders({
      linkKey: deriveKey(secret, UNSUBSCRIBE_LINKS),
      addressKey: deriveKey(secret, UNSUBSCRIBE_ADDRESSES),
      publicUrl: config.publicUrl,
      hostname: config.hostname,
      findTeamTag: createTeamTags(db),
    }),
    commit(acceptRequest) {
      backpressure.expect(acceptRequest.submitter.teamId)
      return accepting.add(acceptRequest)
    },
  }
  const idempotent = createIdempotent({ db, clock })
  const acceptEmail = createAcceptEmail(deps)
  const trackingKey = deriveKey(secret, TRACKING_LINKS)
  return {
    acceptEmail,
    resendEmail: createResendEmail({ db, clock, acceptEmail, commit: deps.commit, trackingKey }),
    acceptMime: createAcceptMime(deps),
    acceptEmails: createAcceptEmails(deps),
    acceptSubmission: createAcceptSubmission({ ...deps, idempotent }),
    idempotent,
    findTemplate: templates.find,
  }
}

export type Access = ReturnType<typeof assembleAccess>

/** Who may come in, and how often: keys and counters are the same by whichever door. */
export function assembleAccess({
  db,
  clock,
  log,
  stops,
}: Pick<Parts, 'db' | 'clock' | 'stops'> & { log: Log }) {
  const sessions = createSessionAccess({ db, clock, log })
  const auth = createAuthenticator({ db, clock, log, onForget: sessions.forget })
  stops.push(() => auth.stop())
  stops.push(() => sessions.stop())
  auth.start()
  return {
    authenticate: auth.authenticate,
    sessions,
    guessTeam: auth.guessTeam,
    forget: auth.forget,
    limiter: createRateLimiter(db, clock),
  }
}
