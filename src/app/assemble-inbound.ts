import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { startInboundListener } from '../inbound/inbound-listener.ts'
import { createHashAddress } from '../lib/crypto/erased-address.ts'
import { deriveKey, UNSUBSCRIBE_ADDRESSES } from '../lib/crypto/seal.ts'
import type { Log } from '../lib/log.ts'
import { listenIfFree } from '../lib/net/listen-or-explain.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { ContextSource } from '../smtp/server/smtp-types.ts'
import { countDsns } from './assemble-metrics.ts'

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
  const count = countDsns(registry)
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
