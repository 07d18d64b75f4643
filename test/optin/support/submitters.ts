import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  removeDirectory,
  runChild,
  startChild,
  stopChild,
  waitForExit,
  waitForPort,
  watchStray,
} from '../../../bench/support/children.ts'
import { findFreePort } from '../../support/ports.ts'

const INSTALL_TIMEOUT_MS = 300_000
const STOP_LIMIT_MS = 30_000
/** Postfix needs the PLAIN mechanism of Cyrus SASL to log in. */
const NEEDED = ['swaks', 'libsasl2-modules', 'python3']

/**
 * Returns null when the submitting programs are available, after installing them if necessary; otherwise a sentence
 * with the reason.
 */
export async function installSubmitters(): Promise<string | null> {
  const isThere = () =>
    existsSync('/usr/bin/swaks') &&
    existsSync('/usr/bin/python3') &&
    existsSync(`/usr/lib/${multiarch()}/sasl2/libplain.so.2`)
  if (isThere()) return null
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'swaks is skipped: it is not installed.'
  const install = `apt-get update -q && apt-get install -y --no-install-recommends ${NEEDED.join(' ')}`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { stderr } = await runChild('/bin/sh', ['-c', install], { env, timeoutMs: INSTALL_TIMEOUT_MS })
  return isThere()
    ? null
    : `swaks is skipped: it could not be installed (${stderr.trim().split('\n').at(-1)}).`
}

function multiarch(): string {
  return process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
}

export interface RelayingPostfix {
  port: number
  log(): string
  stop(): Promise<void>
}

const SERVICES = `
cleanup   unix  n       -       n       -       0       cleanup
qmgr      unix  n       -       n       300     1       qmgr
tlsmgr    unix  -       -       n       1000?   1       tlsmgr
rewrite   unix  -       -       n       -       -       trivial-rewrite
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
proxymap  unix  -       -       n       -       -       proxymap
smtp      unix  -       -       n       -       -       smtp
relay     unix  -       -       n       -       -       smtp
showq     unix  n       -       n       -       -       showq
error     unix  -       -       n       -       -       error
retry     unix  -       -       n       -       -       error
discard   unix  -       -       n       -       -       discard
flush     unix  n       -       n       1000?   0       flush
anvil     unix  -       -       n       -       1       anvil
postlog   unix-dgram n  -       n       -       1       postlogd
`

/** Starts a Postfix that accepts mail of this machine and relays all of it to one server, with a login and TLS. */
export async function startRelayingPostfix(relayPort: number, token: string): Promise<RelayingPostfix> {
  const directory = makeDirectory('relaying-postfix')
  for (const name of ['queue', 'data']) mkdirSync(join(directory, name))
  const logPath = join(directory, 'log')
  writeFileSync(logPath, '')
  execFileSync('chown', ['postfix', join(directory, 'data'), logPath])
  const port = await findFreePort()
  const settings = [
    'compatibility_level = 3.6',
    `queue_directory = ${join(directory, 'queue')}`,
    `data_directory = ${join(directory, 'data')}`,
    `maillog_file = ${logPath}`,
    `maillog_file_prefixes = ${directory}`,
    'myhostname = app.internal.test',
    'mydestination =',
    'alias_maps =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'mynetworks = 127.0.0.0/8',
    'smtputf8_enable = yes',
    `relayhost = [127.0.0.1]:${relayPort}`,
    'smtp_sasl_auth_enable = yes',
    `smtp_sasl_password_maps = static:any:${token}`,
    'smtp_sasl_security_options = noanonymous',
    'smtp_tls_security_level = encrypt',
    'smtp_destination_recipient_limit = 50',
    'message_size_limit = 60000000',
    'minimal_backoff_time = 1s',
    'queue_run_delay = 1s',
  ]
  writeFileSync(join(directory, 'main.cf'), `${settings.join('\n')}\n`)
  writeFileSync(join(directory, 'master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${SERVICES}`)
  const readMasterPid = () => {
    try {
      return Number.parseInt(readFileSync(join(directory, 'queue', 'pid', 'master.pid'), 'latin1'), 10)
    } catch {
      return null
    }
  }
  watchStray(readMasterPid, 'SIGTERM')
  const script = startChild('/usr/sbin/postfix', ['-c', directory, 'start-fg'])
  await waitForPort(port, script)
  return {
    port,
    log: () => readFileSync(logPath, 'utf8'),
    async stop() {
      const master = readMasterPid()
      if (master !== null) process.kill(master, 'SIGTERM')
      await waitForExit(script, STOP_LIMIT_MS)
      await stopChild(script)
      removeDirectory(directory)
    },
  }
}
