import type { Registry } from 'prom-client'
import { countNotices } from './assemble-metrics.ts'
import type { Clock } from './base/clock.ts'
import { createHashAddress } from './base/erased-address.ts'
import { listenIfFree } from './base/listen-or-explain.ts'
import type { Log } from './base/log.ts'
import { deriveKey, UNSUBSCRIBE_ADDRESSES } from './base/seal.ts'
import type { Config } from './config.ts'
import { startInboundListener } from './inbound/inbound-listener.ts'
import type { ContextSource } from './inbound/smtp/smtp-types.ts'
import type { Db } from './store/db.ts'

interface Parts {
  config: Config
  db: Db
  clock: Clock
  log: Log
  secret: Buffer
  returnPathKey: Buffer
  registry: Registry
  tls: ContextSource | null
  stops: (() => Promise<void>)[]
}

export const INBOUND_PORT = 'SENDWRIGHT_INBOUND_PORT'

/** The inbound role: the port that bounces and complaints come to. Returns it; null when it is off, or busy and not set. */
export async function assembleInbound(parts: Parts): Promise<number | null> {
  const { config, log, secret, returnPathKey, registry, stops } = parts
  const { inboundPort, smtpHost: host, hostname, feedbackAddress } = config
  if (inboundPort === null) return null
  const { db, clock, tls } = parts
  const keys = { returnPath: returnPathKey, unsubscribe: deriveKey(secret, UNSUBSCRIBE_ADDRESSES) }
  const recipients = { keys, hostname, feedbackAddress }
  const hashAddress = createHashAddress(secret)
  const count = countNotices(registry)
  let opened: number | null = null
  const listen = async () => {
    const { port } = inboundPort
    const writing = { db, clock, log, hashAddress, count }
    const listener = await startInboundListener({ ...recipients, ...writing, host, port, tls })
    stops.push(() => listener.close())
    opened = listener.port
  }
  await listenIfFree(listen, inboundPort, INBOUND_PORT, log)
  return opened
}
