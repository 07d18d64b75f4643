import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

const ACCOUNT = 'Debian-exim'

/** Starts an Exim with a separate configuration and spool, which accepts everything and delivers nothing. */
export async function startReceivingExim(program: string): Promise<ReceivingServer> {
  const directory = makeDirectory('receiving-exim')
  const port = await findFreePort()
  for (const name of ['spool/input', 'log']) mkdirSync(join(directory, name), { recursive: true })
  execFileSync('chown', ['-R', ACCOUNT, directory])
  const configuration = join(directory, 'exim.conf')
  writeFileSync(configuration, settings(directory, port))
  const child = startChild(program, ['-C', configuration, '-bdf'])
  await waitForPort(port, child)
  const input = join(directory, 'spool', 'input')
  return {
    name: 'Exim',
    port,
    messages: () =>
      readdirSync(input)
        .filter((name) => name.endsWith('-H'))
        .map((name) => readSpooled(join(input, name.slice(0, -2)))),
    async stop() {
      await stopChild(child)
      removeDirectory(directory)
    },
  }
}

/**
 * Reads a spooled message: a file of header fields, each preceded by its length, after an empty line; and a file of
 * the body after its name.
 */
function readSpooled(path: string): Buffer {
  const envelope = readFileSync(`${path}-H`)
  const fields: Buffer[] = []
  let at = envelope.indexOf('\n\n') + 2
  for (;;) {
    const [prefix, length, kind] = /^(\d{3,})(.) /.exec(envelope.toString('latin1', at, at + 20)) ?? []
    if (prefix === undefined) break
    at += prefix.length
    // An asterisk marks fields removed from the header.
    if (kind !== '*') fields.push(envelope.subarray(at, at + Number(length)))
    at += Number(length)
  }
  const body = readFileSync(`${path}-D`)
  return Buffer.concat([...fields, Buffer.from('\n'), body.subarray(body.indexOf('\n') + 1)])
}

function settings(directory: string, port: number): string {
  return `exim_user = ${ACCOUNT}
exim_group = ${ACCOUNT}
never_users =
primary_hostname = mx.receiver.test
spool_directory = ${directory}/spool
log_file_path = ${directory}/log/%slog
pid_file_path = ${directory}/exim.pid
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
queue_only = true
tls_advertise_hosts =
host_lookup =
rfc1413_query_timeout = 0s
smtputf8_advertise_hosts = *
chunking_advertise_hosts = *
message_size_limit = 60M
smtp_accept_max = 100
acl_smtp_rcpt = acl_all
acl_smtp_data = acl_all
begin acl
acl_all:
  accept
`
}
