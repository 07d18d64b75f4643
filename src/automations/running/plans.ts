import type { Queryable, Tx } from '../../db/db-types.ts'
import type { Graph, GraphSettings } from '../graph/graph-types.ts'
import {
  type AutomationVersion,
  findActiveVersions,
  findAutomationVersions,
} from '../rows/versions-queries.ts'
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

export function planOf({ automationId, version, graph, settings, follows }: AutomationVersion): RunPlan {
  return { automationId, version, graph, settings, follows, index: new RunIndex(graph) }
}

export const planKey = ({ automationId, version }: Pick<RunPlan, 'automationId' | 'version'>) =>
  `${automationId}/${version}`

/** A plan that begins runs now, and since when. */
export interface ActivePlan {
  plan: RunPlan
  activeSince: Date | null
}

const COUNT_MAX = 1000

/** Keeps the latest versions used. A version never changes. */
export class Plans {
  readonly #kept = new Map<string, RunPlan>()

  /** Returns the plans of these runs or versions, by `planKey`. Those of a deleted automation are missing. */
  async find(
    db: Queryable,
    teamId: string,
    keys: readonly Pick<RunPlan, 'automationId' | 'version'>[],
  ): Promise<Map<string, RunPlan>> {
    const wanted = new Map(keys.map((key) => [planKey(key), key]))
    const found = new Map<string, RunPlan>()
    for (const name of wanted.keys()) {
      const plan = this.#kept.get(name)
      if (plan !== undefined) found.set(name, plan)
    }
    const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, key]) => key)
    for (const version of await findAutomationVersions(db, teamId, missing)) {
      const plan = planOf(version)
      found.set(planKey(plan), plan)
    }
    for (const [name, plan] of found) this.#keep(name, plan)
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

  #keep(name: string, plan: RunPlan): void {
    this.#kept.delete(name)
    this.#kept.set(name, plan)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > COUNT_MAX && oldest !== undefined) this.#kept.delete(oldest)
  }
}
