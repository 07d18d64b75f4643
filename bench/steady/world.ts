import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { deriveKey, openSecret, seal, unseal } from '../../src/lib/crypto/seal.ts'
import { newId } from '../../src/lib/ids.ts'
import { DOMAIN } from '../support/names.ts'
import { Product } from '../support/product.ts'
import type { Sender } from '../support/senders.ts'
import { describeTrace, type TracedEmail } from '../trace/trace.ts'
import { type MailSites, startMailSites, zoneOf } from './mail-sites.ts'

/** A team with a verified domain, and with a key unless only a backlog is written for it. */
export interface SendingTeam {
  teamId: string
  domainId: string
  from: string
}

/** An installation with access to its database, among mail servers. */
export interface World {
  product: Product
  sites: MailSites
  senders: Sender[]
  /** The teams of `senders`, in the same order. */
  teams: SendingTeam[]
  /** Opens a connection pool. Requires that the product is running. */
  openDatabase(): Db
  /** Remembers emails whose steps are printed at the end, if a trace is wanted (TRACE). */
  noteTraced(label: string, emails: readonly TracedEmail[]): void
  close(): Promise<void>
}

export interface WorldOptions {
  sitesCount: number
  sendersCount: number
  environment?: Record<string, string>
}

/** Creates an installation, which runs with the role `api` only. */
export async function createWorld({ sitesCount, sendersCount, environment }: WorldOptions): Promise<World> {
  const sites = await startMailSites(sitesCount)
  const product = await Product.create(sites.port, {
    zone: zoneOf(sitesCount),
    ...(environment && { environment }),
  })
  const databases = new Set<Db>()
  const traced: { label: string; emails: readonly TracedEmail[] }[] = []
  const openDatabase = () => {
    const db = openDb(product.databaseUrl, { connectionsMax: 4, timeoutMs: 120_000, name: 'bench' })
    databases.add(db)
    return db
  }
  await product.start({ roles: 'api' })
  // createSenders makes one sender per 5,000 emails.
  const senders = await product.createSenders(5000 * sendersCount)
  return {
    product,
    sites,
    senders,
    teams: await findTeams(openDatabase(), senders),
    openDatabase,
    noteTraced(label, emails) {
      traced.push({ label, emails })
    },
    async close() {
      await product.stop()
      const { tracePath } = product
      for (const { label, emails } of tracePath === null ? [] : traced)
        process.stderr.write(`\n${label}\n${describeTrace(tracePath as string, emails)}\n`)
      for (const db of databases) await db.close().catch(() => {})
      await product.remove()
      await sites.stop()
    },
  }
}

/** Returns the teams of senders, in the same order. */
export async function findTeams(db: Db, senders: readonly Sender[]): Promise<SendingTeam[]> {
  const rows = await db.query<{ teamId: string; id: string }>('select team_id, id from domain')
  return senders.map(({ domainId, from }) => {
    const teamId = rows.find((row) => row.id === domainId)?.teamId
    if (teamId === undefined) throw new Error(`domain ${domainId} has no team`)
    return { teamId, domainId, from }
  })
}

const TAG_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

function tagOf(number: number): string {
  let tag = ''
  for (let rest = number; tag.length < 8; rest = Math.floor(rest / 32)) tag += TAG_LETTERS[rest % 32]
  return tag
}

/**
 * Creates many teams with a verified domain each, with SQL: copies of an existing team, with its keys sealed again
 * for each.
 * Generating keys for a thousand domains would take minutes.
 */
export async function cloneTeams(
  db: Db,
  dataDir: string,
  original: SendingTeam,
  count: number,
): Promise<SendingTeam[]> {
  const sealingKey = deriveKey(await openSecret(dataDir, null), 'dkim private keys')
  const keys = await db.query<{ algorithm: string; sealedPrivateKey: Buffer }>(
    'select algorithm, sealed_private_key from dkim_key where team_id = $1 and domain_id = $2',
    [original.teamId, original.domainId],
  )
  const context = (team: SendingTeam, algorithm: string) => `${team.teamId}/${team.domainId}/${algorithm}`
  const opened = keys.map(({ algorithm, sealedPrivateKey: sealed }) => ({
    algorithm,
    key: unseal(sealingKey, sealed, context(original, algorithm)),
  }))
  const teams: SendingTeam[] = []
  await db.transaction(async (tx) => {
    const copy = (table: string, where: string, changes: Record<string, unknown>, values: unknown[]) =>
      tx.query(
        `insert into ${table}
         select (jsonb_populate_record(o, $1::jsonb)).*
         from ${table} o
         where ${where}`,
        [JSON.stringify(changes), ...values],
      )
    for (let number = 1; number <= count; number++) {
      const name = `clone-${number}.${DOMAIN}`
      const team = { teamId: newId(), domainId: newId(), from: `orders@${name}` }
      const tag = tagOf(number)
      await tx.query('insert into team_tag (tag, team_id) values ($1, $2)', [tag, team.teamId])
      await copy('team', 'o.id = $2', { id: team.teamId, tag, name }, [original.teamId])
      await copy(
        'domain',
        'o.team_id = $2 and o.id = $3',
        { team_id: team.teamId, id: team.domainId, name },
        [original.teamId, original.domainId],
      )
      for (const { algorithm, key } of opened) {
        const sealed = `\\x${seal(sealingKey, key, context(team, algorithm)).toString('hex')}`
        const ids = { team_id: team.teamId, domain_id: team.domainId }
        const changes = { ...ids, domain_name: name, sealed_private_key: sealed }
        await copy('dkim_key', 'o.team_id = $2 and o.domain_id = $3 and o.algorithm = $4', changes, [
          original.teamId,
          original.domainId,
          algorithm,
        ])
      }
      teams.push(team)
    }
  })
  return teams
}
