import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory, removeDirectory, runChild } from '../../../bench/support/children.ts'

/** The unpacked Exim and OpenSMTPD, or a sentence with the reason why they are missing. */
export type ForeignServers = { exim: string; opensmtpd: string; remove(): void } | { absent: string }

/** Debian allows only one installed mail server, so these are unpacked with the libraries they need. */
const PACKAGES = ['exim4-daemon-light', 'opensmtpd']
const LIBRARIES = [
  'libgnutls-dane0',
  'libidn12',
  'libnsl2',
  'libevent-2.1-7',
  'libdb5.3',
  'libpam0g',
  'libpcre2-8-0',
]
/** The accounts that the packages would create. */
const ACCOUNTS = ['Debian-exim', 'opensmtpd', 'opensmtpq']
const INSTALL_TIMEOUT_MS = 300_000

export async function installServers(): Promise<ForeignServers> {
  if (process.getuid?.() !== 0) return { absent: 'Exim and OpenSMTPD are skipped: only root may run them.' }
  if (!existsSync('/usr/bin/apt-get')) {
    return { absent: 'Exim and OpenSMTPD are skipped: there is no apt-get.' }
  }
  const directory = makeDirectory('servers')
  const accounts = ACCOUNTS.map(
    (name) =>
      `getent passwd ${name} >/dev/null || useradd --system --no-create-home --home-dir /nonexistent --user-group ${name}`,
  )
  const script = [
    'set -e',
    `cd ${directory}`,
    'apt-get update -q',
    `apt-get install -y -q --no-install-recommends ${LIBRARIES.join(' ')}`,
    `apt-get download ${PACKAGES.join(' ')}`,
    ...accounts,
  ].join('\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { code, stderr } = await runChild('/bin/sh', ['-c', script], { env, timeoutMs: INSTALL_TIMEOUT_MS })
  if (code !== 0) {
    const why = stderr.trim().split('\n').at(-1)
    return { absent: `Exim and OpenSMTPD are skipped: they could not be installed (${why}).` }
  }
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.deb'))) {
    await runChild('dpkg-deb', ['-x', join(directory, file), directory])
  }
  return {
    exim: join(directory, 'usr', 'sbin', 'exim4'),
    opensmtpd: join(directory, 'usr', 'sbin', 'smtpd'),
    remove: () => removeDirectory(directory),
  }
}
