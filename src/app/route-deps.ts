import { createSendAccountMail, type SendAccountMail } from '../accounts/account-mail.ts'
import { createPasswords } from '../accounts/passwords/password-hash.ts'
import { createPrintAccountMail } from '../accounts/print-account-mail.ts'
import { createMailboxProber } from '../delivery/probe-mailbox.ts'
import { createValidateAddress } from '../emails/validate/validate-address.ts'
import type { FeedWatch } from '../events/feed-watch.ts'
import { createWaitingPlaces } from '../events/waiting-places.ts'
import { createCountLimit } from '../lib/async/count-limit.ts'
import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import { createOperatorView } from '../operator/operator-view.ts'
import { createVisitRecorder } from '../tracking/record-visits.ts'
import type { Acceptance } from './acceptance.ts'
import type { Access } from './access.ts'
import type { StopGroup } from './lifecycle.ts'
import type { Runtime } from './runtime.ts'
import type { ShapingView } from './shaping-view.ts'

interface Parts {
  acceptance: Acceptance
  access: Access
  shaping: Pick<ShapingView, 'read'>
  feedWatch: FeedWatch
  wakeImports(): void
  doors: StopGroup
}

/** Each may hold the process for half a second. */
const LARGE_READS = { places: 2, waitMs: 10_000 }
/** Event streams and requests that wait for events. */
const WAITING = { ofTeamMax: 20, inAllMax: 1_000 }
/** A person changes their mind a few times. */
const UNDO_LIMIT = { countMax: 5, windowMs: 3_600_000, keysMax: 10_000 }

/** What routes need, all together: `startApi` does not compile with a route whose `Deps` are not among these. */
export function createRouteDeps(runtime: Runtime, parts: Parts) {
  const { config, clock, log, secret, keys, signer, guard, hashAddress } = runtime
  const { api: db, lists } = runtime.pools
  const { access, shaping, feedWatch, doors } = parts
  const visits = createVisitRecorder({ db, clock, log })
  doors.add('visits', () => visits.idle())
  return {
    config,
    db,
    /** For long lists, whose price is the caller's to set: few connections of their own, and the server ends what is slow. */
    lists,
    clock,
    log,
    /** The installation's master key (lib/crypto/seal.ts); what is sealed or signed uses keys derived from it. */
    secret,
    /** Replaces the addresses of people who were erased. */
    hashAddress,
    linkKeys: {
      unsubscribe: keys.unsubscribeLinks,
      tracking: keys.trackingLinks,
    },
    /** How often an unsubscription is taken back by its link: every time makes events. */
    undoLimit: createCountLimit(UNDO_LIMIT),
    visits,
    guard,
    signer,
    wakeImports: parts.wakeImports,
    validateAddress: createValidation(runtime),
    ...parts.acceptance,
    /** A key was changed or revoked here, and that is committed: no request from now on is let in by what was. */
    forgetAccess: access.forget,
    passwords: createPasswords(),
    sendAccountMail: createAccountMail(runtime, parts.acceptance),
    /** For reading what weighs tens of megabytes: a few at a time, so that everything else goes on between them. */
    largeReads: createFairSemaphore(LARGE_READS),
    feedWatch,
    waitingPlaces: createWaitingPlaces(WAITING),
    operatorView: createOperatorView({ config, db: lists, clock, log, shaping: () => shaping.read() }),
  }
}

function createAccountMail(
  { config, pools, clock, log }: Runtime,
  { acceptMime }: Acceptance,
): SendAccountMail {
  const { api: db } = pools
  // Made in every mode: it throws for a SENDWRIGHT_ACCOUNT_FROM that is no address.
  const send = createSendAccountMail({ db, clock, log, acceptMime, from: config.accountFrom })
  if (config.delivery.kind !== 'capture') return send
  return createPrintAccountMail({ log, logOutput: process.stdout, terminal: process.stderr })
}

/** Its DNS answers sooner than delivery's: somebody waits for it. The prober is there only where the operator wants it. */
function createValidation({ config, pools, clock, guard }: Runtime) {
  const { api: db } = pools
  const dns = new DnsClient({ servers: config.dnsServers, timeoutMs: 1000, clock })
  const mx = new MxResolver(dns)
  const asksServers = config.validateSmtp && config.delivery.kind !== 'capture'
  const { hostname: ehloName, mxPort } = config
  const probe = asksServers ? createMailboxProber({ clock, mx, guard, ehloName, mxPort }) : null
  return createValidateAddress({ db, clock, mx, probe })
}
