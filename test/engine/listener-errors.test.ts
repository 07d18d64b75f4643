import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { findFreePort } from '../support/ports.ts'
import { startTestSendwright } from '../support/sendwright.ts'

const TLS = join(import.meta.dirname, '../fixtures/tls')

/** Returns the server of this process that accepts connections to a port. */
async function findServer(port: number): Promise<Server> {
  const { promise, resolve } = Promise.withResolvers<Server>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } }
    if (socket.localPort === port) resolve(socket.server)
  }
  subscribe('net.server.socket', onSocket)
  const client = connect(port, '127.0.0.1')
  try {
    return await promise
  } finally {
    unsubscribe('net.server.socket', onSocket)
    client.destroy()
  }
}

test('logged: an error of any listener, which would otherwise end the process', async () => {
  const lines: Record<string, unknown>[] = []
  const metricsPort = await findFreePort()
  const service = await startTestSendwright({
    roles: ['api', 'inbound'],
    environment: {
      SENDWRIGHT_HTTPS_PORT: '0',
      SENDWRIGHT_TLS_CERT: join(TLS, 'mx.cert.pem'),
      SENDWRIGHT_TLS_KEY: join(TLS, 'mx.key.pem'),
      SENDWRIGHT_INBOUND_PORT: '0',
      SENDWRIGHT_METRICS_PORT: String(metricsPort),
    },
    log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }),
  })
  onTestFinished(() => service.stop())
  const ports = {
    HTTP: Number(new URL(service.url).port),
    HTTPS: service.httpsPort,
    inbound: service.inboundPort,
    metrics: metricsPort,
  }
  for (const [listener, port] of Object.entries(ports)) {
    const server = await findServer(port)
    // Without a listener for it, this throws.
    server.emit('error', new Error('accept failed'))
    expect(lines).toContainEqual(
      expect.objectContaining({
        listener,
        msg: 'a listener failed',
        err: expect.objectContaining({ message: 'accept failed' }),
      }),
    )
  }
})
