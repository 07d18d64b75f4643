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
  /** Reads the files again; what cannot be used leaves the old in force. */
  reload(): Promise<void>
  stop(): Promise<void>
}

export interface CertificateOptions {
  /** PEM files; both or none. */
  certFile: string | null
  keyFile: string | null
  /** Where a self-signed one is kept. */
  dataDir: string
  hostname: string
  clock: Clock
  log: Log
  /** How often it is looked whether the files have changed. */
  lookMs?: number
}

/** Tools that renew certificates write two files, one after the other: a minute later both are there. */
const LOOK_MS = 60_000

/** What TLS needs, and what tells one state of the files from another. */
interface Loaded {
  context: SecureContext
  stamp: string
  validTo: Date
}

/**
 * The certificate of the SMTP listeners: from files, or self-signed and kept in the data directory (senders that
 * submit need encryption more than a name, and MX hosts are not asked for a name at all; RFC 7435). Throws CannotStart
 * when the files cannot be used at the start.
 */
export async function openCertificate(options: CertificateOptions): Promise<Certificate> {
  const { certFile, keyFile, log } = options
  const isOwn = certFile !== null && keyFile !== null
  const load = isOwn ? async () => loadFiles(certFile, keyFile) : () => loadSelfSigned(options)
  const stampNow = isOwn ? () => stampOf(certFile, keyFile) : () => ''
  let loaded = await load().catch((error: unknown) => {
    throw new CannotStart(`The certificate for SMTP cannot be used: ${(error as Error).message}.`, {
      cause: error,
    })
  })
  let refusedStamp = ''
  warnOfEnd(loaded, options)

  async function reload(): Promise<void> {
    try {
      loaded = await load()
      refusedStamp = ''
      log.info({ valid_to: loaded.validTo }, 'the certificate for SMTP was read again')
      warnOfEnd(loaded, options)
    } catch (error) {
      refusedStamp = stampNow()
      log.error({ err: error }, 'the new certificate for SMTP cannot be used; the old one stays in force')
    }
  }

  const looking = repeat(
    'look at the certificate for SMTP',
    options.lookMs ?? LOOK_MS,
    async () => {
      const isOld = !isOwn && isEnding(loaded.validTo, options.clock)
      const stamp = stampNow()
      if (isOld || (stamp !== loaded.stamp && stamp !== refusedStamp)) await reload()
    },
    log,
  )
  return { context: () => loaded.context, reload, stop: () => looking.stop() }
}

const ENDING_MS = 30 * 24 * 3_600_000

function isEnding(validTo: Date, clock: Clock): boolean {
  return validTo.getTime() - clock.now().getTime() < ENDING_MS
}

function warnOfEnd({ validTo }: Loaded, { clock, log }: CertificateOptions): void {
  if (validTo < clock.now()) log.warn({ valid_to: validTo }, 'the certificate for SMTP has expired')
}

function loadFiles(certFile: string, keyFile: string): Loaded {
  const stamp = stampOf(certFile, keyFile)
  return { ...loadPem(readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')), stamp }
}

async function loadSelfSigned({ dataDir, hostname, clock }: CertificateOptions): Promise<Loaded> {
  const pem = await ensureSelfSigned(dataDir, hostname, clock.now(), (validTo) => isEnding(validTo, clock))
  return { ...loadPem(pem, pem), stamp: '' }
}

/** Throws when the two are none, or do not belong together. */
function loadPem(cert: string, key: string): Omit<Loaded, 'stamp'> {
  const leaf = new X509Certificate(cert)
  // OpenSSL compares them only where both are of one kind.
  if (!leaf.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate')
  const context = createSecureContext({ cert, key, minVersion: 'TLSv1.2' })
  return { context, validTo: new Date(leaf.validTo) }
}

/** Files that are away for a moment are another state, not an error. */
function stampOf(...paths: string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat === undefined ? 'away' : `${stat.ino}/${stat.size}/${stat.mtimeMs}`
    })
    .join(' ')
}
