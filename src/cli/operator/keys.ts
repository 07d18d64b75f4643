import { Command, Option } from 'commander'
import { newKeyToken } from '../../keys/key-token.ts'
import { createKey, revokeKey } from '../../keys/keys.ts'
import { type ApiKey, findTeamsOfKey, listKeys, type Permission } from '../../keys/keys-queries.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import { createOutput } from '../developer/output.ts'
import { readId, readName, readTime } from './installation/arguments.ts'
import { asOperator, requireOwner, requireTeam, withInstallation } from './installation/installation.ts'
import { readAll } from './installation/read-all.ts'

const COLUMNS = ['id', 'name', 'permission', 'domain_id', 'prefix', 'status', 'last_used_at', 'created_at']

interface CreateOptions {
  team?: string
  name: string
  permission: Permission
  domain?: string
  expires?: Date
  json?: boolean
}

function keyToJson(key: ApiKey, now: Date) {
  const isExpired = key.expiresAt !== null && key.expiresAt.getTime() <= now.getTime()
  return {
    object: 'api_key',
    id: key.id,
    team_id: key.teamId,
    name: key.name,
    permission: key.permission,
    domain_id: key.domainId,
    status: key.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    prefix: key.prefix,
    expires_at: formatTime(key.expiresAt),
    last_used_at: formatTime(key.lastUsedAt),
    created_at: formatTime(key.createdAt),
  }
}

async function create(options: CreateOptions): Promise<void> {
  const input = {
    name: options.name,
    permission: options.permission,
    domainId: options.domain ?? null,
    expiresAt: options.expires ?? null,
  }
  const answer = await withInstallation(async (installation) => {
    const team = await requireTeam(installation.db, options.team)
    const { config, db, clock } = asOperator(installation, team.id, 'api-keys.create')
    const token = newKeyToken(config.cell)
    const newKey = await db.transaction((tx) => createKey(tx, team.id, input, null, clock.now(), token))
    return { ...keyToJson(newKey.key, clock.now()), token: newKey.token }
  })
  createOutput(options).record(answer)
  process.stderr.write('Store the token now. It cannot be shown again.\n')
}

export function keyCommand(): Command {
  const key = new Command('key').description('Manage the API keys of a team')
  key
    .command('create')
    .description('create a key and show its token once')
    .requiredOption('--name <name>', 'the name of the key', readName)
    .option('--team <id>', 'the team; optional when there is only one', readId)
    .addOption(
      new Option('--permission <permission>', 'full access, or sending only')
        .choices(['full', 'send'])
        .default('full'),
    )
    .option('--domain <id>', 'restrict the key to this domain', readId)
    .option('--expires <time>', 'an ISO 8601 time; by default, the key never expires', readTime)
    .option('--json', 'print JSON')
    .action(create)
  key
    .command('list')
    .description('list the keys of a team, newest first')
    .option('--team <id>', 'the team; optional when there is only one', readId)
    .option('--json', 'print JSON')
    .action(async (options: { team?: string; json?: boolean }) => {
      const keys = await withInstallation(async ({ db, clock }) => {
        const team = await requireTeam(db, options.team)
        const rows = await readAll(
          async (after, size) => (await listKeys(db, team.id, { size, offset: 0, after, before: null })).rows,
        )
        return rows.map((row) => keyToJson(row, clock.now()))
      })
      createOutput(options).rows(keys, COLUMNS)
    })
  key
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .argument('<id>', 'the key', readId)
    .option('--team <id>', 'the team that has the key; optional', readId)
    .option('--json', 'print JSON')
    .action(async (id: string, options: { team?: string; json?: boolean }) => {
      const revoked = await withInstallation(async (installation) => {
        const owners = () => findTeamsOfKey(installation.db, id)
        const team = await requireOwner(installation.db, options.team, owners, `key ${id}`)
        const { db, clock } = asOperator(installation, team.id, 'api-keys.delete', id)
        const row = await db.transaction((tx) => revokeKey(tx, team.id, id, null, clock.now()))
        if (row === null) throw new ApiError('not_found', `The team has no key ${id}.`)
        return keyToJson(row, clock.now())
      })
      createOutput(options).record(revoked)
    })
  return key
}
