import { X509Certificate } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDir } from '../../db/embedded/data-dir.ts'
import { giveToOwnerOf } from '../../lib/owner.ts'

/** Key and certificate in one file, so that they are replaced together. */
const FILE = 'smtp-certificate.pem'
const YEARS = 10
const YEAR_MS = 365 * 24 * 3_600_000
/** The certificate is valid from a day earlier, because clocks of clients may be slow. */
const EARLIER_MS = 24 * 3_600_000

/**
 * Returns the self-signed certificate in the data directory as PEM. Creates one if there is none, if it has another
 * name, or if `isEnding` returns true for it. Processes that start at once all use the one that is stored first.
 */
export async function ensureSelfSigned(
  dataDir: string,
  hostname: string,
  now: Date,
  isEnding: (validTo: Date) => boolean,
): Promise<string> {
  const path = join(dataDir, FILE)
  const current = readPem(path)
  if (current !== null && isGood(current, hostname, isEnding)) return current
  const pem = await makePem(hostname, now)
  try {
    await makeDataDir(dataDir)
    store(dataDir, path, pem, current !== null)
  } catch {
    // If it cannot be stored (in a read-only container), each start creates another one.
    return pem
  }
  return readPem(path) ?? pem
}

function store(dataDir: string, path: string, pem: string, isReplaced: boolean): void {
  const temporaryPath = `${path}.${process.pid}`
  try {
    writeFileSync(temporaryPath, pem, { mode: 0o600, flush: true })
    giveToOwnerOf(dataDir, temporaryPath)
    if (isReplaced) renameSync(temporaryPath, path)
    else linkSync(temporaryPath, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryPath, { force: true })
  }
}

function readPem(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Returns whether a certificate can be used. A damaged one is replaced, because nothing depends on its key. */
function isGood(pem: string, hostname: string, isEnding: (validTo: Date) => boolean): boolean {
  try {
    const certificate = new X509Certificate(pem)
    return certificate.checkHost(hostname) !== undefined && !isEnding(new Date(certificate.validTo))
  } catch {
    return false
  }
}

/** Creates a key and a certificate. The key is RSA, because old programs that submit mail support nothing newer. */
async function makePem(hostname: string, now: Date): Promise<string> {
  // Loaded only when needed, because loading takes a moment.
  const { generate } = await import('selfsigned')
  const pair = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'rsa',
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - EARLIER_MS),
    notAfterDate: new Date(now.getTime() + YEARS * YEAR_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] },
    ],
  })
  return `${pair.private.trim()}\n${pair.cert.trim()}\n`
}
