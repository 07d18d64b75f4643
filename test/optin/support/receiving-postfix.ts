import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeDirectory,
  removeDirectory,
  startChild,
  stopChild,
  waitForExit,
  waitForPort,
  watchStray,
} from '../../../bench/support/children.ts'

export interface ReceivingPostfix {
  port: number
  /**
   * Returns the messages in the mailbox, unordered, including the header fields that Postfix adds, with LF line
   * endings.
   */
  messages(): Buffer[]
  /** Returns Postfix's log, to explain missing messages. */
  log(): string
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 30_000
/** Postfix delivers as an unprivileged user, whose id is the same on every Debian. */
const MAIL_UID = 65_534

/** Only the services on the path of a message to a mailbox, without chroot. */
const SERVICES = `
cleanup   unix  n       -       n       -       0       cleanup
qmgr      unix  n       -       n       300     1       qmgr
tlsmgr    unix  -       -       n       1000?   1       tlsmgr
rewrite   unix  -       -       n       -       -       trivial-rewrite
bounce    unix  -       -       n       -       0       bounce
defer     unix  -       -       n       -       0       bounce
trace     unix  -       -       n       -       0       bounce
proxymap  unix  -       -       n       -       -       proxymap
error     unix  -       -       n       -       -       error
retry     unix  -       -       n       -       -       error
virtual   unix  -       n       n       -       -       virtual
anvil     unix  -       -       n       -       1       anvil
postlog   unix-dgram n  -       n       -       1       postlogd
`

/**
 * Starts a Postfix with a separate configuration, queue and log: the mail server of every domain, with one mailbox
 * for all of them. With `milterPort`, it passes each message to a filter.
 */
export async function startReceivingPostfix(port: number, milterPort?: number): Promise<ReceivingPostfix> {
  const directory = makeDirectory('receiving-postfix')
  for (const name of ['queue', 'data', 'mail']) mkdirSync(join(directory, name))
  const logPath = join(directory, 'log')
  writeFileSync(logPath, '')
  execFileSync('chown', ['postfix', join(directory, 'data'), logPath])
  execFileSync('chown', [`${MAIL_UID}`, join(directory, 'mail')])
  writeFileSync(join(directory, 'master.cf'), `127.0.0.1:${port} inet n - n - - smtpd${SERVICES}`)
  writeFileSync(join(directory, 'main.cf'), settings(directory, logPath, milterPort))
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
    messages() {
      const mailbox = join(directory, 'mail', 'all', 'new')
      try {
        return readdirSync(mailbox).map((name) => readFileSync(join(mailbox, name)))
      } catch {
        // The mailbox is created with the first message.
        return []
      }
    },
    log: () => readFileSync(logPath, 'utf8'),
    async stop() {
      const master = readMasterPid()
      // Ending the script would orphan its master. The master(8) ends all its children, and then the script.
      if (master !== null) process.kill(master, 'SIGTERM')
      await waitForExit(script, STOP_LIMIT_MS)
      await stopChild(script)
      removeDirectory(directory)
    },
  }
}

function settings(directory: string, logPath: string, milterPort: number | undefined): string {
  const rows = [
    'compatibility_level = 3.6',
    `queue_directory = ${join(directory, 'queue')}`,
    `data_directory = ${join(directory, 'data')}`,
    `maillog_file = ${logPath}`,
    `maillog_file_prefixes = ${directory}`,
    'myhostname = mx.receiver.test',
    'mydestination =',
    'alias_maps =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'mynetworks =',
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtputf8_enable = yes',
    'virtual_mailbox_domains = static:all',
    'virtual_mailbox_maps = static:all/',
    `virtual_mailbox_base = ${join(directory, 'mail')}`,
    `virtual_uid_maps = static:${MAIL_UID}`,
    `virtual_gid_maps = static:${MAIL_UID}`,
    'mailbox_size_limit = 0',
    'virtual_mailbox_limit = 0',
    'message_size_limit = 60000000',
  ]
  if (milterPort !== undefined) {
    rows.push(`smtpd_milters = inet:127.0.0.1:${milterPort}`, 'milter_default_action = tempfail')
  }
  return `${rows.join('\n')}\n`
}
