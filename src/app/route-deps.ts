import { createPasswords } from '../accounts/passwords/password-hash.ts'
import { CALLBACK_PATH, createOidcClient, type OidcClient } from '../accounts/single-sign-on/oidc-client.ts'
import { createSendAccountMail, type SendAccountMail } from '../accounts/users/account-mail.ts'
import { createPrintAccountMail } from '../accounts/users/print-account-mail.ts'
import { createMailboxProber } from '../delivery/client/probe-mailbox.ts'
import { createFindZone } from '../domains/find-zone.ts'
import { createValidateAddress } from '../emails/validate/validate-address.ts'
import type { FeedWatch } from '../events/feed-watch.ts'
import { createWaitingPlaces } from '../events/waiting-places.ts'
import { createCountLimit } from '../lib/async/count-limit.ts'
import { createFairSemaphore } from '../lib/async/fair-semaphore.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import { createServerChecks } from '../operator/go-live/server-checks.ts'
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
  listeners: StopGroup
}

/** Concurrent large reads; each may block the event loop for half a second. */
const LARGE_READS = { places: 2, waitMs: 10_000 }
/** Event streams and long-polling requests for events. */
const WAITING = { ofTeamMax: 20, inAllMax: 1_000 }
/** Allows a person to undo an unsubscription a few times. */
const UNDO_LIMIT = { countMax: 5, windowMs: 3_600_000, keysMax: 10_000 }

/** Creates the dependencies of all routes. `startApi` does not compile when a route needs others. */
export function createRouteDeps(runtime: Runtime, parts: Parts) {
  const { config, clock, log, secret, keys, signer, guard, hashAddress } = runtime
  const { api: db, lists } = runtime.pools
  const { access, shaping, feedWatch, listeners } = parts
  const visits = createVisitRecorder({ db, clock, log })
  listeners.add('visits', () => visits.idle())
  const serverChecks = createServerChecks({ config, db, clock, log })
  listeners.add('server checks', () => serverChecks.stop())
  return {
    config,
    db,
    /** For lists, whose cost the caller determines: a separate, small pool with a statement timeout. */
    lists,
    clock,
    log,
    /** The installation's master key (lib/crypto/seal.ts); what is sealed or signed uses keys derived from it. */
    secret,
    /** Hashes the addresses of erased people. */
    hashAddress,
    linkKeys: {
      unsubscribe: keys.unsubscribeLinks,
      tracking: keys.trackingLinks,
      share: keys.shareLinks,
    },
    /** Limits how often a link can undo an unsubscription, because each change records events. */
    undoLimit: createCountLimit(UNDO_LIMIT),
    visits,
    guard,
    signer,
    readBody: runtime.bodies.read,
    wakeImports: parts.wakeImports,
    validateAddress: createValidation(runtime),
    ...parts.acceptance,
    /** Call it after committing a change of keys, so that later requests do not use cached keys. */
    forgetAccess: access.forget,
    passwords: createPasswords(),
    oidc: createOidc(runtime),
    sendAccountMail: createAccountMail(runtime, parts.acceptance),
    /** Limits concurrent reads of tens of megabytes, so that other requests are served in between. */
    largeReads: createFairSemaphore(LARGE_READS),
    feedWatch,
    waitingPlaces: createWaitingPlaces(WAITING),
    serverChecks,
    findZone: createFindZone(config.dnsServers),
    operatorView: createOperatorView({ config, db: lists, clock, log, shaping: () => shaping.read() }),
  }
}

/** Creates the client of the configured OpenID provider, or null. It connects at the first login. */
function createOidc({ config, clock }: Runtime): OidcClient | null {
  const {
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
    oidcScopes: scopes,
  } = config
  if (issuer === null || clientId === null) return null
  const redirectUri = `${config.publicUrl}${CALLBACK_PATH}`
  return createOidcClient({ issuer, clientId, clientSecret, scopes, redirectUri, clock })
}

function createAccountMail(
  { config, pools, clock, log, supervisor }: Runtime,
  { acceptMime }: Acceptance,
): SendAccountMail {
  const { api: db } = pools
  // Created in every mode, because it validates SENDWRIGHT_ACCOUNT_FROM.
  const send = createSendAccountMail({ db, clock, log, acceptMime, from: config.accountFrom })
  if (config.delivery.kind !== 'capture') return send
  const { logOutput, terminal } = supervisor ?? { logOutput: process.stdout, terminal: process.stderr }
  return createPrintAccountMail({ log, logOutput, terminal })
}

/**
 * Creates address validation. Its DNS timeout is shorter than delivery's because a client waits. The prober exists
 * only when the operator enables it.
 */
function createValidation({ config, pools, clock, guard }: Runtime) {
  const { api: db } = pools
  const dns = new DnsClient({ servers: config.dnsServers, timeoutMs: 1000, clock })
  const mx = new MxResolver(dns)
  const usesSmtp = config.validateSmtp && config.delivery.kind !== 'capture'
  const { hostname: ehloName, mxPort } = config
  const probe = usesSmtp ? createMailboxProber({ clock, mx, guard, ehloName, mxPort }) : null
  return createValidateAddress({ db, clock, mx, probe })
}
