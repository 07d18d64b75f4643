import { sendMessages } from '../../accounts/notifications/send-messages.ts'
import { readSystemFrom } from '../../accounts/users/account-mail.ts'
import type { AcceptMime } from '../../emails/accept/accept-mime.ts'
import { createGuardedConnector } from '../../lib/net/guarded-agent.ts'
import { openLine } from '../../webhooks/request/post.ts'
import type { Runtime } from '../runtime.ts'

const CONNECT_TIMEOUT_MS = 5_000
const POST_TIMEOUT_MS = 15_000
/** Messages in progress at once. */
const SENDING_MAX = 10

/** Creates a function that sends due messages about alerts. It resolves to true when more may be due. */
export function createSendAlerts(runtime: Runtime, acceptMime: AcceptMime): () => Promise<boolean> {
  const { config, clock, log, nodeId, secret, guard, hostAddresses } = runtime
  const connect = createGuardedConnector({
    guard,
    timeoutMs: CONNECT_TIMEOUT_MS,
    addressesOf: hostAddresses,
    allowH2: false,
  })
  const deps = {
    db: runtime.pools.engine,
    clock,
    log,
    nodeId,
    acceptMime,
    publicUrl: config.publicUrl,
    from: readSystemFrom(config.accountFrom),
    isCapturing: config.delivery.kind === 'capture',
    secret,
    openLine: (url: string) => openLine({ url, connect, connectionsMax: 1, timeoutMs: POST_TIMEOUT_MS }),
  }
  return async () => (await sendMessages(deps, SENDING_MAX)) === SENDING_MAX
}
