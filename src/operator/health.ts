import { X509Certificate } from 'node:crypto'
import { readFile, statfs } from 'node:fs/promises'
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
import { checkCertificate, checkDatabase, checkDisk } from './doctor/check-machine.ts'
import { cannotOpenDatabase } from './doctor/examine.ts'
import { type Finding, note, ok, problem, warning } from './doctor/finding.ts'

export interface Health {
  asOf: Date
  version: string
  status: 'ok' | 'warning' | 'problem'
  delivery: Config['delivery']['kind']
  /** Null: it does not answer. */
  database: (DatabaseMetrics & { replicas: Replica[] }) | null
  isEmbedded: boolean
  /** Of the data directory; null: it cannot be looked at. */
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

const BACKUP_OLD_MS = 8 * 24 * 3_600_000

/** How the installation is, as this process sees it: what the doctor looks at, without asking the network. */
export async function readHealth({ config, db, clock, log }: HealthDeps): Promise<Health> {
  const now = clock.now()
  const findings: Finding[] = []
  const database = await ask(async () => {
    findings.push(...(await checkDatabase(db)))
    return { ...(await readDatabaseMetrics(db)), replicas: await listReplicas(db) }
  })
  const oldest = database === null ? null : await ask(() => oldestReadySeconds(db, now))
  const lastBackup = database === null ? null : await ask(() => findLastBackup(db))
  async function ask<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'an operator was told that the database does not answer')
      findings.push(cannotOpenDatabase(new Error('it gave no answer in time.')))
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
    certificateEndsAt: await findCertificateEnd(config.tlsCertFile),
    lastBackup,
    findings,
  }
}

function gradeOf(findings: readonly Finding[]): Health['status'] {
  if (findings.some(({ level }) => level === 'problem')) return 'problem'
  return findings.some(({ level }) => level === 'warning') ? 'warning' : 'ok'
}

function checkQueue({ oldestReadySeconds, oldestReadySecondsMax }: NonNullable<Health['queue']>): Finding {
  const found = `The oldest ready delivery has waited for ${oldestReadySeconds} s.`
  if (oldestReadySecondsMax !== null && oldestReadySeconds > oldestReadySecondsMax) {
    return problem('queue', found, 'Nobody drains it: see that a process with the role deliver is at work.')
  }
  return ok('queue', found)
}

function checkBackup(last: BackupMade | null, now: Date): Finding {
  const advice = 'Make backups: "sendwright backup FILE", every day, to another machine.'
  if (last === null) return note('backup', '"sendwright backup" has made none here.', advice)
  const found = `The last was made on ${last.madeAt.toISOString().slice(0, 10)}.`
  return now.getTime() - last.madeAt.getTime() > BACKUP_OLD_MS
    ? warning('backup', found, advice)
    : ok('backup', found)
}

async function inspectCertificate(config: Config, now: Date): Promise<Finding[]> {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, hostname } = config
  if (certFile === null || keyFile === null) return []
  return [await checkCertificate({ certFile, keyFile }, hostname, now)]
}

async function findCertificateEnd(certFile: string | null): Promise<Date | null> {
  if (certFile === null) return null
  try {
    return new X509Certificate(await readFile(certFile)).validToDate
  } catch {
    // The finding says what is wrong with it.
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
