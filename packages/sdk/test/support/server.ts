import { afterAll, beforeAll } from 'vitest'
import type { Sender } from '../../../../test/support/sendwright.ts'
import { type SharedSendwright, shareSendwright } from '../../../../test/support/shared-sendwright.ts'
import { type ClientOptions, Sendwright } from '../../src/index.ts'
import { type FaultyProxy, startFaultyProxy } from './proxy.ts'

export interface Setup {
  sendwright: SharedSendwright
  proxy: FaultyProxy
  /** Creates a team with a verified domain, and a client that calls through the proxy. */
  givenClient(options?: ClientOptions): Promise<{ client: Sendwright; sender: Sender }>
}

/** Runs a server in capture mode and a proxy in front of it for the tests of a file. */
export function useServer(): Setup {
  const setup = {
    async givenClient(options: ClientOptions = {}) {
      const sender = await setup.sendwright.givenSender()
      const given = { apiKey: sender.token, baseUrl: setup.proxy.url, ...options }
      return { sender, client: new Sendwright(given) }
    },
  } as Setup
  beforeAll(async () => {
    setup.sendwright = await shareSendwright('webhooks')
    setup.proxy = await startFaultyProxy(setup.sendwright.url)
  })
  afterAll(() => setup.proxy?.close())
  return setup
}
