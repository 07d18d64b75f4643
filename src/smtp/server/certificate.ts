import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { repeat } from '../../lib/async/repeat.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { ensureSelfSigned } from './self-signed.ts'
import type { ContextSource } from './smtp-types.ts'

export interface Certificate extends ContextSource {
  /** Returns whether the certificate is for this host. */
  covers(host: string): boolean
  /** Reloads the files; invalid ones leave the old certificate active. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export interface CertificateOptions {
  /** PEM files; both or none. */
  certFile: string | null
  keyFile: string | null
  /** Where a self-signed certificate is stored. */
  dataDir: string
  hostname: string
  clock: Clock
  log: Log
  /** How often to check whether the files have changed. */
  checkIntervalMs?: number
}

/** Tools that renew certificates write two files, one after the other; a minute later both are complete. */
const CHECK_INTERVAL_MS = 60_000

/** The TLS material, and a stamp of the files' state. */
interface Loaded {
  context: SecureContext
  leaf: X509Certificate
  stamp: string
  validTo: Date
}

/**
 * Opens the certificate of the listeners: from files, or self-signed and stored in the data directory (submission
 * needs encryption more than a name, and MX hosts are not verified by name; RFC 7435). Throws CannotStart when the
 * files are invalid at start-up.
 */
export async function openCertificate(options: CertificateOptions): Promise<Certificate> {
  const { certFile, keyFile, log } = options
  const isOwn = certFile !== null && keyFile !== null
  const load = isOwn ? async () => loadFiles(certFile, keyFile) : () => loadSelfSigned(options)
  const stampNow = isOwn ? () => stampOf(certFile, keyFile) : () => ''
  let loaded = await load().catch((error: unknown) => {
    throw new CannotStart(`The TLS certificate cannot be used: ${(error as Error).message}.`, {
      cause: error,
    })
  })
  let refusedStamp = ''
  warnOfEnd(loaded, options)

  async function reload(): Promise<void> {
    try {
      loaded = await load()
      refusedStamp = ''
      log.info({ valid_to: loaded.validTo }, 'reloaded the SMTP certificate')
      warnOfEnd(loaded, options)
    } catch (error) {
      refusedStamp = stampNow()
      log.error({ err: error }, 'could not load the new SMTP certificate; the old one stays active')
    }
  }

  const looking = repeat(
    'check the SMTP certificate',
    options.checkIntervalMs ?? CHECK_INTERVAL_MS,
    async () => {
      const isOld = !isOwn && isEnding(loaded.validTo, options.clock)
      const stamp = stampNow()
      if (isOld || (stamp !== loaded.stamp && stamp !== refusedStamp)) await reload()
    },
    log,
  )
  return {
    context: () => loaded.context,
    covers: (host) => loaded.leaf.checkHost(host) !== undefined,
    reload,
    stop: () => looking.stop(),
  }
}

const ENDING_MS = 30 * 24 * 3_600_000

function isEnding(validTo: Date, clock: Clock): boolean {
  return validTo.getTime() - clock.now().getTime() < ENDING_MS
}

function warnOfEnd({ validTo }: Loaded, { clock, log }: CertificateOptions): void {
  if (validTo < clock.now()) log.warn({ valid_to: validTo }, 'the SMTP certificate has expired')
}

function loadFiles(certFile: string, keyFile: string): Loaded {
  const stamp = stampOf(certFile, keyFile)
  return { ...loadPem(readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')), stamp }
}

async function loadSelfSigned({ dataDir, hostname, clock }: CertificateOptions): Promise<Loaded> {
  const pem = await ensureSelfSigned(dataDir, hostname, clock.now(), (validTo) => isEnding(validTo, clock))
  return { ...loadPem(pem, pem), stamp: '' }
}

/** Throws when either is invalid, or they do not belong together. */
function loadPem(cert: string, key: string): Omit<Loaded, 'stamp'> {
  const leaf = new X509Certificate(cert)
  // OpenSSL compares them only when both have the same key type.
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not match the certificate')
  const context = createSecureContext({ cert, key, minVersion: 'TLSv1.2' })
  return { context, leaf, validTo: new Date(leaf.validTo) }
}

/** Missing files are another state, not an error: tools may replace them. */
function stampOf(...paths: string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat === undefined ? 'away' : `${stat.ino}/${stat.size}/${stat.mtimeMs}`
    })
    .join(' ')
}
