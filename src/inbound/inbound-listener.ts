import type { Network } from '../config/networks.ts'
import { type SmtpListener, startSmtpListener } from '../smtp/server/smtp-listener.ts'
import type { ContextSource, SmtpLimits } from '../smtp/server/smtp-types.ts'
import { createDsnHandlers, type ReceiveDeps } from './receive-dsns.ts'

/** A DSN may return our longest message, encoded once more. The part that is read is at its beginning. */
const LIMITS: Partial<SmtpLimits> = {
  connectionsMax: 500,
  connectionsPerAddressMax: 50,
  recipientsMax: 100,
  messageBytesMax: 52_000_000,
  keptBytesMax: 2_000_000,
  allMessagesBytesMax: 64 * 1024 * 1024,
}

export interface InboundOptions extends ReceiveDeps {
  host: string
  port: number
  tls: ContextSource | null
  /** Proxies, each of whose connections begins with a PROXY header. */
  proxies?: readonly Network[]
}

/**
 * Starts the listener for bounces, delay DSNs, complaints and unsubscriptions only. It offers no AUTH and no
 * relaying.
 */
export function startInboundListener(options: InboundOptions): Promise<SmtpListener> {
  const { host, port, hostname, tls, proxies = [], log } = options
  return startSmtpListener({
    name: 'inbound',
    host,
    port,
    hostname,
    tls,
    proxies,
    log,
    limits: LIMITS,
    open: () => createDsnHandlers(options),
  })
}
