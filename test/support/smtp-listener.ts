import { createSecureContext } from 'node:tls'
import { expect, onTestFinished } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import {
  type SmtpListener,
  type SmtpListenerOptions,
  startSmtpListener,
} from '../../src/smtp/server/smtp-listener.ts'
import { reply, type SmtpEnvelope, type SmtpHandlers } from '../../src/smtp/server/smtp-types.ts'
import { testTls } from './mx-script.ts'
import { codeOf, openSmtp, type RawSmtp } from './smtp-client.ts'

export interface ListenerWorld {
  listener: SmtpListener
  messages: { envelope: SmtpEnvelope; content: string }[]
  logins: string[][]
}

const context = createSecureContext(testTls())

/**
 * Starts a listener that keeps received messages and rejects recipients whose names start with "no". It ends with the
 * test.
 */
export async function startListener(
  options: Partial<SmtpListenerOptions> = {},
  handlers: Partial<SmtpHandlers> = {},
): Promise<ListenerWorld> {
  const world: Omit<ListenerWorld, 'listener'> = { messages: [], logins: [] }
  const listener = await startSmtpListener({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    hostname: 'mail.sendwright.test',
    tls: { context: () => context },
    log: createLog('silent'),
    open: () => ({
      async authenticate(user, password) {
        world.logins.push([user, password])
        return password === 'right' ? reply(235, '2.7.0', 'Welcome') : reply(535, '5.7.8', 'Wrong')
      },
      onRcpt: async ({ address }) =>
        address.startsWith('no') ? reply(550, '5.1.1', 'No such mailbox') : null,
      async onMessage(envelope, content) {
        world.messages.push({ envelope, content: content.toString('latin1') })
        return reply(250, '2.0.0', 'kept')
      },
      ...handlers,
    }),
    ...options,
    limits: { greetingDelayMs: 20, closeTimeoutMs: 100, ...options.limits },
  })
  onTestFinished(() => listener.close())
  return { ...world, listener }
}

/** Opens a connection and sends EHLO. */
export async function greeted(listener: SmtpListener): Promise<RawSmtp> {
  const client = await openSmtp(listener.port)
  expect(codeOf(await client.hear())).toBe('220')
  expect(codeOf(await client.say('EHLO client.test'))).toBe('250')
  return client
}
