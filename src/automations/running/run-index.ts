import { type GraphIndex, indexGraph } from '../graph/graph-index.ts'
import type { Graph, Step } from '../graph/graph-types.ts'

/** A version's steps, as runs look them up. */
export class RunIndex implements GraphIndex {
  readonly steps: GraphIndex['steps']
  readonly next: GraphIndex['next']
  readonly trigger: Step<'trigger'> | null
  readonly goals: readonly Step<'goal'>[]
  /** The steps behind each goal. */
  readonly #behind: ReadonlyMap<string, ReadonlySet<string>>

  constructor(graph: Graph) {
    const { steps, next } = indexGraph(graph)
    this.steps = steps
    this.next = next
    this.trigger = graph.steps.find((step) => step.type === 'trigger') ?? null
    this.goals = graph.steps.filter((step) => step.type === 'goal')
    this.#behind = new Map(this.goals.map(({ key }) => [key, this.#reachableFrom(key)]))
  }

  stepOf(key: string): Step | undefined {
    return this.steps.get(key)
  }

  /** Returns whether a run at a step has not come past a goal. A goal that no step leads to is reached from everywhere. */
  isBefore(key: string, goal: string): boolean {
    return this.#behind.get(goal)?.has(key) !== true
  }

  #reachableFrom(key: string): Set<string> {
    const reached = new Set<string>()
    const waiting = [key]
    for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
      for (const to of this.next.get(from)?.values() ?? []) {
        if (to === key || reached.has(to)) continue
        reached.add(to)
        waiting.push(to)
      }
    }
    return reached
  }
}
