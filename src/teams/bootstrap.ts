import type { Config } from '../config/config.ts'
import { lockAlone } from '../db/locks.ts'
import { addDomain } from '../domains/domains.ts'
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

/** Creates a team, a key and, if configured, a domain when no team exists yet. Returns null when one exists. */
export async function bootstrap(
  deps: DomainDeps,
  config: Pick<Config, 'bootstrapKey' | 'bootstrapDomain' | 'cell'>,
): Promise<FirstStart | null> {
  const now = deps.clock.now()
  const first = await deps.db.transaction(async (tx) => {
    // Two processes that start on an empty database create only one team.
    await lockAlone(tx, 'firstTeam')
    if ((await findFirstTeam(tx)) !== null) return null
    const team = await createTeam(tx, { name: 'Default', plan: 'unlimited' }, now)
    const input = { name: 'First key', permission: 'full', domainId: null, expiresAt: null } as const
    const newToken = config.bootstrapKey ?? newKeyToken(config.cell)
    const { token } = await createKey(tx, team.id, input, null, now, newToken)
    return { teamId: team.id, token: config.bootstrapKey === null ? token : null }
  })
  if (first === null) return null
  if (config.bootstrapDomain !== null) await addDomain(deps, first.teamId, { name: config.bootstrapDomain })
  return { ...first, domain: config.bootstrapDomain }
}
