import type { Config } from '../config/config.ts'
import { lockAlone } from '../db/locks.ts'
import { prepareDomain } from '../domains/domains.ts'
import type { DomainDeps } from '../domains/verify-domain.ts'
import { newKeyToken } from '../keys/key-token.ts'
import { createKey } from '../keys/keys.ts'
import { createTeam } from './teams.ts'
import { findFirstTeam } from './teams-queries.ts'

/** The records that the first start created, shown to the operator once. */
export interface FirstStart {
  teamId: string
  /** The API key; null when the operator chose it. */
  token: string | null
  domain: string | null
}

/**
 * Creates a team, a key and, if configured, a domain when no team exists yet. Returns null when one exists. All are in one
 * transaction: after a crash, the next start finds no team and creates all of them.
 */
export async function bootstrap(
  deps: DomainDeps,
  config: Pick<Config, 'bootstrapKey' | 'bootstrapDomain' | 'cell'>,
): Promise<FirstStart | null> {
  const now = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    // Two processes that start on an empty database create only one team.
    await lockAlone(tx, 'firstTeam')
    if ((await findFirstTeam(tx)) !== null) return null
    const team = await createTeam(tx, { name: 'Default', plan: 'unlimited' }, now)
    const input = { name: 'First key', permission: 'full', domainId: null, expiresAt: null } as const
    const newToken = config.bootstrapKey ?? newKeyToken(config.cell)
    const { token } = await createKey(tx, team.id, input, null, now, newToken)
    const { bootstrapDomain: domain } = config
    // Generating its keys holds the lock for a moment. Only other processes that start on the empty database wait for it.
    if (domain !== null) await (await prepareDomain(deps, team.id, { name: domain }))(tx)
    return { teamId: team.id, token: config.bootstrapKey === null ? token : null, domain }
  })
}
