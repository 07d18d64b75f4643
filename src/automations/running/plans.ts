import type { Queryable, Tx } from '../../db/db-types.ts'
import type { Graph, GraphSettings } from '../graph/graph-types.ts'
import { type AutomationVersion, findActiveVersions, findStampedVersions } from '../rows/versions-queries.ts'
import { RunIndex } from './run-index.ts'

/** A version that is ready to be followed. */
export interface RunPlan {
  automationId: string
  version: number
  graph: Graph
  settings: GraphSettings
  index: RunIndex
  follows: readonly string[]
}

export function planOf({
  automationId,
  version,
  graph,
  settings,
  follows,
}: Omit<AutomationVersion, 'createdAt'>): RunPlan {
  return { automationId, version, graph, settings, follows, index: new RunIndex(graph) }
}

export const planKey = ({ automationId, version }: Pick<RunPlan, 'automationId' | 'version'>) =>
  `${automationId}/${version}`

/** A plan that begins runs now, and since when. */
export interface ActivePlan {
  plan: RunPlan
  activeSince: Date | null
}

/** A plan with the stamp of the row that it was made from. */
interface StampedPlan {
  plan: RunPlan
  stamp: string
}

const COUNT_MAX = 1000

/**
 * Caches the versions used last. A version is not edited, but an erasure removes a person from it, and it follows more
 * events once runs move to it. Each look-up therefore compares the stamps of the rows, and reads changed rows again.
 */
export class Plans {
  readonly #plans = new Map<string, StampedPlan>()

  /** Returns the plans of these runs or versions, by `planKey`. Those of a deleted automation are missing. */
  async find(
    db: Queryable,
    teamId: string,
    keys: readonly Pick<RunPlan, 'automationId' | 'version'>[],
  ): Promise<Map<string, RunPlan>> {
    const wanted = new Map(keys.map((key) => [planKey(key), key]))
    // Those that are evicted during the query remain available here.
    const known = new Map([...wanted.keys()].map((name) => [name, this.#plans.get(name)]))
    const versions = [...wanted].map(([name, { automationId, version }]) => ({
      automationId,
      version,
      stamp: known.get(name)?.stamp ?? null,
    }))
    const found = new Map<string, RunPlan>()
    for (const { stamp, content, ...key } of await findStampedVersions(db, teamId, versions)) {
      const name = planKey(key)
      const plan = content === null ? (known.get(name) as StampedPlan).plan : planOf({ ...key, ...content })
      found.set(name, plan)
      this.#keep(name, { plan, stamp })
    }
    for (const name of wanted.keys()) if (!found.has(name)) this.#plans.delete(name)
    return found
  }

  /** Returns the plans of the active automations of a team, locked against a pause and deletion. */
  async findActive(tx: Tx, teamId: string): Promise<ActivePlan[]> {
    const versions = await findActiveVersions(tx, teamId)
    const found = await this.find(tx, teamId, versions)
    return versions.flatMap(({ activeSince, ...key }) => {
      const plan = found.get(planKey(key))
      return plan === undefined ? [] : [{ plan, activeSince }]
    })
  }

  #keep(name: string, stamped: StampedPlan): void {
    this.#plans.delete(name)
    this.#plans.set(name, stamped)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > COUNT_MAX && oldest !== undefined) this.#plans.delete(oldest)
  }
}
