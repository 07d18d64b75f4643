import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  removeDirectory,
  startChild,
  stopChild,
  waitForPort,
} from '../../../bench/support/children.ts'
import { findFreePort } from '../../support/ports.ts'

export interface VerifyingOpendkim {
  port: number
  stop(): Promise<void>
}

/**
 * Starts opendkim as a verifying milter, which writes its verdict into an Authentication-Results field of each
 * message.
 * @param records the DNS records, by name
 */
export async function startVerifyingOpendkim(records: Record<string, string>): Promise<VerifyingOpendkim> {
  const directory = makeDirectory('verifying-opendkim')
  const dnsPath = join(directory, 'dns')
  const rows = Object.entries(records).map(([name, value]) => `${name} ${value}`)
  writeFileSync(dnsPath, `${rows.join('\n')}\n`)
  const port = await findFreePort()
  const settings = [
    'Mode v',
    `TestDNSData file:${dnsPath}`,
    `Socket inet:${port}@127.0.0.1`,
    'AuthservID mx.receiver.test',
    'AlwaysAddARHeader yes',
    // All mail comes from this machine, which opendkim would otherwise treat as its own and not verify.
    'InternalHosts 192.0.2.1',
    'Syslog no',
  ]
  const path = join(directory, 'opendkim.conf')
  writeFileSync(path, `${settings.join('\n')}\n`)
  const child = startChild('/usr/sbin/opendkim', ['-f', '-x', path])
  await waitForPort(port, child)
  return {
    port,
    async stop() {
      await stopChild(child)
      removeDirectory(directory)
    },
  }
}
