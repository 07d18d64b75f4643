import { once } from 'node:events'
import { createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { type ListeningServer, listenHere } from '../../../test/support/listen-here.ts'
import { CannotStart } from '../cannot-start.ts'
import { createLog } from '../log.ts'
import { listenIfFree, refuseBusyPort, refuseBusySmtpPort } from './listen-or-explain.ts'

async function givenPort(): Promise<ListeningServer> {
  const server = await listenHere(createServer())
  onTestFinished(server.close)
  return server
}

test('refused with the setting to change while another program has the port; free again after that', async () => {
  const { port, close } = await givenPort()
  const apiError = new CannotStart(`Port ${port} is in use; set PORT to another one.`)
  await expect(refuseBusyPort('127.0.0.1', port, 'PORT')).rejects.toEqual(apiError)
  await close()
  await refuseBusyPort('127.0.0.1', port, 'PORT')
  await refuseBusyPort('127.0.0.1', port, 'PORT')
})

test('refused for a HOST that is not an address of this machine, or not an address at all', async () => {
  const { port, close } = await givenPort()
  await close()
  for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
    await expect(refuseBusyPort(host, port, 'PORT')).rejects.toThrow(CannotStart)
  }
})

test('not refused without a fixed port', async () => {
  await refuseBusyPort('192.0.2.1', null, 'PORT')
  await refuseBusyPort('192.0.2.1', 0, 'PORT')
})

test('skipped with a warning when a default SMTP port is in use, refused when it was configured', async () => {
  const { port } = await givenPort()
  const lines = new PassThrough()
  const log = createLog('warn', lines)
  const busy = async () => {
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  expect(await listenIfFree(busy, { port, isSet: false }, 'SENDWRIGHT_INBOUND_PORT', log)).toBe(false)
  expect(String(lines.read())).toContain('SENDWRIGHT_INBOUND_PORT')
  const set = { port, isSet: true }
  const apiError = new CannotStart(`Port ${port} is in use; set SENDWRIGHT_INBOUND_PORT to another one.`)
  await expect(listenIfFree(busy, set, 'SENDWRIGHT_INBOUND_PORT', log)).rejects.toEqual(apiError)
  await expect(refuseBusySmtpPort('127.0.0.1', set, 'SENDWRIGHT_INBOUND_PORT')).rejects.toEqual(apiError)
  await expect(refuseBusySmtpPort('192.0.2.1', { port: 2525, isSet: true }, 'X')).rejects.toThrow(
    'SENDWRIGHT_SMTP_HOST (or HOST) is not an address of this machine.',
  )
})
