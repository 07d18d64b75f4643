import { afterAll, beforeAll } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../../../../test/support/sendwright.ts'
import { type ClientOptions, Sendwright } from '../../src/index.ts'
import { type FaultyProxy, startFaultyProxy } from './proxy.ts'

export interface Service {
  sendwright: TestSendwright
  proxy: FaultyProxy
  /** Creates a team with a verified domain, and a client that calls through the proxy. */
  givenClient(options?: ClientOptions): Promise<{ client: Sendwright; sender: Sender }>
}

/** Runs a server in capture mode and a proxy in front of it for the tests of a file. */
export function useService(): Service {
  const service = {
    async givenClient(options: ClientOptions = {}) {
      const sender = await service.sendwright.givenSender()
      const given = { apiKey: sender.token, baseUrl: service.proxy.url, ...options }
      return { sender, client: new Sendwright(given) }
    },
  } as Service
  beforeAll(async () => {
    service.sendwright = await startTestSendwright({
      environment: { SENDWRIGHT_DELIVERY: 'capture' },
      roles: ['api', 'deliver', 'scheduler', 'webhooks'],
    })
    service.proxy = await startFaultyProxy(service.sendwright.url)
  })
  afterAll(async () => {
    await service.proxy?.close()
    await service.sendwright?.stop()
  })
  return service
}
