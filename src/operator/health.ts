import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
import { type CertificateState, listCertificateStates } from '../certificates/certificates-queries.ts'
import type { Config } from '../config/config.ts'
import { type BackupMade, findLastBackup } from '../db/backup/backups-made.ts'
import {
  type DatabaseMetrics,
  listReplicas,
  type Replica,
  readDatabaseMetrics,
} from '../db/database-metrics.ts'
import type { Queryable } from '../db/db-types.ts'
import type { Log } from '../lib/log.ts'
import type { Clock } from '../lib/time/clock.ts'
import { VERSION } from '../lib/version.ts'
import { oldestReadySeconds } from '../queue/depth-queries.ts'
import { checkCertificates } from './doctor/check-certificates.ts'
import { checkCertificate, checkDatabase, checkDisk } from './doctor/check-machine.ts'
import { cannotOpenDatabase } from './doctor/examine.ts'
import { type Finding, note, ok, problem, warning } from './doctor/finding.ts'

export interface Health {
  asOf: Date
  version: string
  status: 'ok' | 'warning' | 'problem'
  delivery: Config['delivery']['kind']
  /** Null: the database is unreachable. */
  database: (DatabaseMetrics & { replicas: Replica[] }) | null
  isEmbedded: boolean
  /** The disk of the data directory, or null if it cannot be read. */
  disk: { freeBytes: number; totalBytes: number } | null
  queue: { oldestReadySeconds: number; oldestReadySecondsMax: number | null } | null
  certificateEndsAt: Date | null
  lastBackup: BackupMade | null
  findings: Finding[]
}

export interface HealthDeps {
  config: Config
  db: Queryable
  clock: Clock
  log: Log
}

/** Hosts whose certificates are listed; those with failures come first. */
const HOSTS_MAX = 100
const BACKUP_OLD_MS = 8 * 24 * 3_600_000

/**
 * Reads the health of the installation as this process sees it. Runs the doctor's checks that do not use the network.
 */
export async function readHealth({ config, db, clock, log }: HealthDeps): Promise<Health> {
  const now = clock.now()
  const findings: Finding[] = []
  const database = await attempt(async () => {
    findings.push(...(await checkDatabase(db)))
    return { ...(await readDatabaseMetrics(db)), replicas: await listReplicas(db) }
  })
  const oldest = database === null ? null : await attempt(() => oldestReadySeconds(db, now))
  const certificates = database === null ? null : await attempt(() => listAcmeCertificates(config, db))
  findings.push(...checkCertificates(certificates ?? [], now))
  const lastBackup = database === null ? null : await attempt(() => findLastBackup(db, now))
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'the health check of the database failed')
      findings.push(cannotOpenDatabase(new Error('it did not respond in time.')))
      return null
    }
  }
  const secondsMax = config.readyAgeMaxMs === null ? null : config.readyAgeMaxMs / 1000
  const queue = oldest === null ? null : { oldestReadySeconds: oldest, oldestReadySecondsMax: secondsMax }
  if (queue !== null) findings.push(checkQueue(queue))
  findings.push(await checkDisk(config.dataDir), ...(await inspectCertificate(config, now)))
  if (database !== null) findings.push(checkBackup(lastBackup, now))
  if (config.delivery.kind === 'capture') {
    findings.push(note('delivery', 'Nothing leaves this machine (SENDWRIGHT_DELIVERY=capture).'))
  }
  return {
    asOf: now,
    version: VERSION,
    status: gradeOf(findings),
    delivery: config.delivery.kind,
    database,
    isEmbedded: config.databaseUrl === null,
    disk: await findDisk(config.dataDir),
    queue,
    certificateEndsAt: firstEndOf(certificates ?? []) ?? (await findCertificateEnd(config.tlsCertFile)),
    lastBackup,
    findings,
  }
}

function gradeOf(findings: readonly Finding[]): Health['status'] {
  if (findings.some(({ level }) => level === 'problem')) return 'problem'
  return findings.some(({ level }) => level === 'warning') ? 'warning' : 'ok'
}

function checkQueue({ oldestReadySeconds, oldestReadySecondsMax }: NonNullable<Health['queue']>): Finding {
  const found = `The oldest delivery that could be sent now has waited for ${oldestReadySeconds} s.`
  if (oldestReadySecondsMax !== null && oldestReadySeconds > oldestReadySecondsMax) {
    return problem(
      'queue',
      found,
      'No process drains the queue. Check that a process with the role deliver is running.',
    )
  }
  return ok('queue', found)
}

function checkBackup(last: BackupMade | null, now: Date): Finding {
  const advice = 'Run "sendwright backup FILE" every day, and store the file on another machine.'
  if (last === null) return note('backup', 'No backup was made with "sendwright backup".', advice)
  const found = `The last backup was made on ${last.madeAt.toISOString().slice(0, 10)}.`
  return now.getTime() - last.madeAt.getTime() > BACKUP_OLD_MS
    ? warning('backup', found, advice)
    : ok('backup', found)
}

async function inspectCertificate(config: Config, now: Date): Promise<Finding[]> {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, hostname } = config
  if (certFile === null || keyFile === null) return []
  return [await checkCertificate({ certFile, keyFile }, hostname, now)]
}

async function listAcmeCertificates({ acmeDirectory }: Config, db: Queryable): Promise<CertificateState[]> {
  return acmeDirectory === null ? [] : listCertificateStates(db, HOSTS_MAX)
}

function firstEndOf(certificates: readonly CertificateState[]): Date | null {
  const ends = certificates.flatMap(({ validUntil }) => (validUntil === null ? [] : [validUntil.getTime()]))
  return ends.length === 0 ? null : new Date(Math.min(...ends))
}

async function findCertificateEnd(certFile: string | null): Promise<Date | null> {
  if (certFile === null) return null
  try {
    return new X509Certificate(await readFile(certFile)).validToDate
  } catch {
    // inspectCertificate reports the error.
    return null
  }
}

async function findDisk(directory: string): Promise<Health['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}
