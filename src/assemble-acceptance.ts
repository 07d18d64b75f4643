import type { Clock } from './base/clock.ts'
import { createGuard } from './base/egress-guard.ts'
import { createHashAddress } from './base/erased-address.ts'
import { createHostAddresses } from './base/host-addresses.ts'
import type { Log } from './base/log.ts'
import type { Precedence } from './base/precedence.ts'
import { deriveKey, TRACKING_LINKS, UNSUBSCRIBE_ADDRESSES, UNSUBSCRIBE_LINKS } from './base/seal.ts'
import type { Signal } from './base/signal.ts'
import type { Config } from './config.ts'
import { createAcceptBatcher, type HandOff } from './operations/accept-batch.ts'
import { type AcceptEmailDeps, createAcceptEmail } from './operations/accept-email.ts'
import { createAcceptEmails } from './operations/accept-emails.ts'
import { createAcceptMime } from './operations/accept-mime.ts'
import { createAcceptSubmission } from './operations/accept-submission.ts'
import { createAuthenticator } from './operations/authenticate.ts'
import { createFileFetcher } from './operations/fetch-file.ts'
import { createIdempotent } from './operations/idempotency.ts'
import { createRateLimiter } from './operations/rate-limit.ts'
import { createRequestFiles } from './operations/request-files.ts'
import { createResendEmail } from './operations/resend-email.ts'
import { createSessionAccess } from './operations/session-access.ts'
import { createTemplateCache } from './operations/template-cache.ts'
import { createFindTracking } from './operations/tracking/domain-tracking.ts'
import { createTracker } from './operations/tracking/tracker.ts'
import { createUnsubscribeHeaders } from './operations/unsubscribe-links.ts'
import type { Db } from './store/db.ts'
import { createTeamTags } from './store/team-tags.ts'

interface Parts {
  config: Config
  /** With the API's short patience. */
  db: Db
  clock: Clock
  secret: Buffer
  nodeId: string
  precedence: Precedence
  due: Signal
  /** Delivery in this process; null: other processes deliver. */
  handOff: HandOff | null
  stops: (() => Promise<void>)[]
}

export type Acceptance = ReturnType<typeof assembleAcceptance>

/** The one way in: what the HTTP API and SMTP submission accept, they accept by these, in the same batches. */
export function assembleAcceptance(parts: Parts) {
  const { config, db, clock, secret, nodeId, precedence, due, handOff, stops } = parts
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
    commit(parcel) {
      precedence.expect(parcel.submitter.teamId)
      return accepting.add(parcel)
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
