import { existsSync } from 'node:fs'
import { runChild } from './children.ts'

const PROGRAMS = ['/usr/sbin/postfix', '/usr/sbin/smtp-source', '/usr/sbin/smtp-sink', '/usr/sbin/opendkim']
const PACKAGES = ['postfix', 'opendkim', 'opendkim-tools']
const INSTALL_TIMEOUT_MS = 300_000

/**
 * Installs Postfix and opendkim if necessary. Returns null if they can run, otherwise a sentence that gives the
 * reason.
 */
export async function installPeers(): Promise<string | null> {
  // The master process of Postfix and the owners of its queue need root.
  if (process.getuid?.() !== 0) return 'Postfix is skipped: only root may run it.'
  if (PROGRAMS.every((path) => existsSync(path))) return null
  if (!existsSync('/usr/bin/apt-get'))
    return 'Postfix is skipped: it is not installed and there is no apt-get.'
  process.stderr.write('Installing Postfix and opendkim with apt-get ...\n')
  // Without a configuration, Debian does not start the system's Postfix; the benchmark needs its private one only.
  const answers = "echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections"
  const install = `apt-get install -y --no-install-recommends ${PACKAGES.join(' ')}`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, timeoutMs: INSTALL_TIMEOUT_MS }
  const { stderr } = await runChild('/bin/sh', ['-c', `${answers}; apt-get update -q && ${install}`], options)
  if (PROGRAMS.every((path) => existsSync(path))) return null
  return `Postfix is skipped: it could not be installed (${stderr.trim().split('\n').at(-1)}).`
}
