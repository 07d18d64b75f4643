import type { EmailTag } from '../../queue/types.ts'
import type { Match, Pool, SourceRules } from '../rules/source-rules.ts'
import { bearsTag } from '../rules/tag-match.ts'

/** The properties of an email that rules match on; a database lookup is made only when a rule needs it. */
export interface Assignable {
  teamId: string
  isBulk: boolean
  /** The domain of its From address, lower case. */
  domain(): Promise<string | null>
  tags(): Promise<readonly EmailTag[]>
}

interface Known {
  team: string
  isBulk: boolean
  domain: string | null
  tags: readonly EmailTag[]
}

/** Returns the pool of the first matching rule, else the default pool. */
export async function findPool(rules: SourceRules, email: Assignable): Promise<Pool> {
  const known: Known = {
    team: email.teamId,
    isBulk: email.isBulk,
    domain: rules.asks.domain ? await email.domain() : null,
    tags: rules.asks.tags ? await email.tags() : [],
  }
  return rules.assignments.find(({ match }) => matches(match, known))?.pool ?? rules.defaultPool
}

function matches({ team, domain, tag, isBulk }: Match, known: Known): boolean {
  if (isBulk !== undefined && isBulk !== known.isBulk) return false
  if (team !== undefined && team !== known.team) return false
  if (domain !== undefined && domain !== known.domain) return false
  return tag === undefined || bearsTag(known.tags, tag)
}
