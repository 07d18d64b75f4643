import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  removeDirectory,
  startChild,
  stopChild,
  waitForPort,
} from '../../../bench/support/children.ts'
import { findFreePort } from '../../support/ports.ts'
import type { ReceivingServer } from './receiving-server.ts'

/** Its directories are compiled in, so it gets empty private ones (mount_namespaces(7)). */
const PRIVATE = [
  'mount -t tmpfs none /var/spool',
  'mkdir -m 711 /var/spool/smtpd',
  'mount -t tmpfs none /var/lib',
  'mkdir -p -m 755 /var/lib/opensmtpd/empty',
  'mount -t tmpfs none /run',
]

/** Starts an OpenSMTPD that accepts everything and relays nothing. */
export async function startReceivingOpensmtpd(program: string): Promise<ReceivingServer> {
  const directory = makeDirectory('receiving-opensmtpd')
  const port = await findFreePort()
  const configuration = join(directory, 'smtpd.conf')
  writeFileSync(configuration, settings(port))
  const script = [...PRIVATE, `exec ${program} -d -P mta -f ${configuration}`].join(' && ')
  const child = startChild('/usr/bin/unshare', ['-m', '--propagation', 'private', 'sh', '-c', script])
  await waitForPort(port, child)
  const queue = `/proc/${child.pid}/root/var/spool/smtpd/queue`
  return {
    name: 'OpenSMTPD',
    port,
    messages: () =>
      readdirSync(queue).flatMap((bucket) =>
        readdirSync(join(queue, bucket)).map((id) => readFileSync(join(queue, bucket, id, 'message'))),
      ),
    async stop() {
      await stopChild(child)
      removeDirectory(directory)
    },
  }
}

function settings(port: number): string {
  return `listen on 127.0.0.1 port ${port} hostname mx.receiver.test
smtp max-message-size 60M
action "keep" relay host smtp://127.0.0.1:9
match from any for any action "keep"
`
}
