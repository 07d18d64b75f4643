import { startInboundListener } from '../../inbound/inbound-listener.ts'
import { listenIfFree } from '../../lib/net/listen-or-explain.ts'
import type { ContextSource } from '../../smtp/server/smtp-types.ts'
import type { StopGroup } from '../lifecycle.ts'
import { countDsns } from '../metrics.ts'
import { INBOUND_PORT, proxiesOf } from '../ports.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Starts the inbound role, which receives bounces and complaints. Returns its port; null when it is disabled, or when
 * the default port is in use.
 */
export async function startInbound(
  runtime: Runtime,
  { tls, listeners }: { tls: ContextSource | null; listeners: StopGroup },
): Promise<number | null> {
  const { config, clock, log, hashAddress } = runtime
  const { inboundPort, smtpHost: host, hostname, feedbackAddress } = config
  if (inboundPort === null) return null
  const { engine: db } = runtime.pools
  const keys = { returnPath: runtime.keys.returnPaths, unsubscribe: runtime.keys.unsubscribeAddresses }
  const recipients = { keys, hostname, feedbackAddress }
  const count = countDsns(runtime.metrics.registry)
  let openPort: number | null = null
  const listen = async () => {
    const { port } = inboundPort
    const writing = { db, clock, log, hashAddress, count }
    const proxies = proxiesOf(config)
    const listener = await startInboundListener({ ...recipients, ...writing, host, port, tls, proxies })
    listeners.add('inbound listener', () => listener.close())
    openPort = listener.port
  }
  await listenIfFree(listen, inboundPort, INBOUND_PORT, log)
  return openPort
}
