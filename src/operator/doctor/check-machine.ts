import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import type { Queryable } from '../../db/db-types.ts'
import { checkDatabaseClock } from './check-clock.ts'
import { type DatabaseFacts, readDatabaseFacts } from './database-facts-queries.ts'
import { type Finding, note, ok, problem, reasonOf, warning } from './finding.ts'

const GIGABYTE = 1_000_000_000
const FREE_PROBLEM_BYTES = GIGABYTE
const FREE_WARNING_SHARE = 0.1
const DAY_MS = 86_400_000
const EXPIRY_WARNING_MS = 14 * DAY_MS
const VERSION_MIN = 150_000

/** Checks the free space of the disk. When it is full, the server accepts no mail (but loses none). */
export async function checkDisk(directory: string): Promise<Finding> {
  const check = `disk of ${directory}`
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    const freeBytes = bavail * bsize
    const found = `${(freeBytes / GIGABYTE).toFixed(1)} GB free of ${((blocks * bsize) / GIGABYTE).toFixed(1)} GB.`
    const advice = 'Free up space. A full disk stops the acceptance of mail.'
    if (freeBytes < FREE_PROBLEM_BYTES) return problem(check, found, advice)
    return bavail / blocks < FREE_WARNING_SHARE ? warning(check, found, advice) : ok(check, found)
  } catch (error) {
    return note(check, `The disk cannot be checked: ${reasonOf(error)}.`)
  }
}

/** Checks the durability settings of the database, on which accepted mail depends, and its clock. */
export async function checkDatabase(db: Queryable): Promise<Finding[]> {
  const askedAtMs = Date.now()
  const facts = await readDatabaseFacts(db)
  const offsetMs = (askedAtMs + Date.now()) / 2 - Number(facts.nowMs)
  return [checkDurability(facts), checkDatabaseClock(offsetMs)]
}

function checkDurability(facts: DatabaseFacts): Finding {
  const check = 'database'
  const found = `PostgreSQL ${facts.version}`
  if (Number(facts.versionNumber) < VERSION_MIN) {
    return problem(check, `${found}.`, 'Use PostgreSQL 15 or later.')
  }
  const settings = {
    fsync: facts.fsync,
    synchronous_commit: facts.synchronousCommit,
    full_page_writes: facts.fullPageWrites,
  }
  const off = Object.entries(settings).filter(([, value]) => ['off', 'local'].includes(value))
  if (off.length === 0) return ok(check, `${found}, which writes each commit to disk.`)
  return problem(
    check,
    `${found} with ${off.map(([name, value]) => `${name} = ${value}`).join(', ')}.`,
    `Turn on ${off.map(([name]) => name).join(', ')}. Otherwise a power cut can lose accepted mail.`,
  )
}

/** Checks the certificate that the operator configured for the listeners. */
export async function checkCertificate(
  files: { certFile: string; keyFile: string },
  hostname: string,
  now: Date,
): Promise<Finding> {
  const check = `certificate ${files.certFile}`
  try {
    const certificate = new X509Certificate(await readFile(files.certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(files.keyFile)))) {
      return problem(
        check,
        `${files.keyFile} is the key of another certificate.`,
        'Set SENDWRIGHT_TLS_KEY to the key of this certificate.',
      )
    }
    return checkCertificateDates(check, certificate, hostname, now)
  } catch (error) {
    return problem(
      check,
      `It cannot be read: ${reasonOf(error)}.`,
      'Set SENDWRIGHT_TLS_CERT and SENDWRIGHT_TLS_KEY to PEM files.',
    )
  }
}

function checkCertificateDates(
  check: string,
  certificate: X509Certificate,
  hostname: string,
  now: Date,
): Finding {
  const endsAt = certificate.validToDate
  const leftMs = endsAt.getTime() - now.getTime()
  const found = `It is valid until ${endsAt.toISOString().slice(0, 10)}`
  if (leftMs <= 0) return problem(check, 'It has expired.', 'Renew it. The server reloads it automatically.')
  if (certificate.checkHost(hostname) === undefined) {
    return warning(check, `${found}, but not for ${hostname}.`, `Get a certificate for ${hostname}.`)
  }
  return leftMs < EXPIRY_WARNING_MS
    ? warning(check, `${found}.`, 'Renew it. The server reloads it automatically.')
    : ok(check, `${found}, for ${hostname}.`)
}
