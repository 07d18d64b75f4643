import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../test/support/ports.ts'
import { makeDirectory, removeDirectory, startChild, stopChild, waitForPort } from './children.ts'
import { DOMAIN } from './names.ts'

export interface Opendkim {
  port: number
  pid: number
  stop(): Promise<void>
}

/** Starts opendkim as a signing milter with RSA-2048, otherwise with Debian's defaults. */
export async function startOpendkim(): Promise<Opendkim> {
  const directory = makeDirectory('opendkim')
  const keyPath = join(directory, 'key.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(keyPath, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 })
  const port = await findFreePort()
  const settings = [
    'Canonicalization relaxed/simple',
    'OversignHeaders From',
    'Mode s',
    `Domain ${DOMAIN}`,
    'Selector bench',
    `KeyFile ${keyPath}`,
    `Socket inet:${port}@127.0.0.1`,
    'InternalHosts 127.0.0.1',
    'Syslog no',
    // The key is inside the directory for temporary files, which other users may write to.
    'RequireSafeKeys no',
  ]
  const path = join(directory, 'opendkim.conf')
  writeFileSync(path, `${settings.join('\n')}\n`)
  const child = startChild('/usr/sbin/opendkim', ['-f', '-x', path])
  await waitForPort(port, child)
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      await stopChild(child)
      removeDirectory(directory)
    },
  }
}
