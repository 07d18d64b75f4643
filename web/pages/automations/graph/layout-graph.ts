import type { EditedGraph } from './edit-graph.ts'
import { outlineOf } from './outline.ts'

export const STEP_WIDTH = 256
const COLUMN = STEP_WIDTH + 40
const ROW_GAP = 56

export interface PlacedStep {
  key: string
  x: number
  y: number
  height: number
}

/**
 * Places steps in layers: each below all that lead to it, without the connections that close a cycle. In a layer, a step stands
 * near the steps above that lead to it. The first layer is at 0.
 * @param heightOf returns the height of a step
 */
export function layoutGraph(graph: EditedGraph, heightOf: (key: string) => number): PlacedStep[] {
  const steps = outlineOf(graph)
  const depths = depthsOf(
    graph,
    steps.map(({ key }) => key),
  )
  const layers = Map.groupBy(steps, ({ key }) => depths.get(key) ?? 0)
  const xs = new Map<string, number>()
  const placed: PlacedStep[] = []
  let y = 0
  for (const depth of [...layers.keys()].sort((one, other) => one - other)) {
    const wished = (layers.get(depth) ?? []).map(({ key }) => ({ key, x: wishOf(key, graph, xs) }))
    wished.sort((one, other) => one.x - other.x)
    for (const { key, x } of spread(wished)) {
      xs.set(key, x)
      placed.push({ key, x, y, height: heightOf(key) })
    }
    y += Math.max(...wished.map(({ key }) => heightOf(key))) + ROW_GAP
  }
  const order = new Map(steps.map(({ key }, index) => [key, index]))
  return placed.sort((one, other) => (order.get(one.key) ?? 0) - (order.get(other.key) ?? 0))
}

/** Returns the longest way to each step from one that nothing leads to. */
function depthsOf({ connections }: EditedGraph, order: readonly string[]): Map<string, number> {
  const next = Map.groupBy(connections, ({ from }) => from)
  const depths = new Map<string, number>()
  const path = new Set<string>()
  const closing = new Set<object>()
  const done = new Set<string>()
  const after: string[] = []
  const visit = (key: string) => {
    path.add(key)
    for (const connection of next.get(key) ?? []) {
      if (path.has(connection.to)) closing.add(connection)
      else if (!done.has(connection.to)) visit(connection.to)
    }
    path.delete(key)
    done.add(key)
    after.push(key)
  }
  for (const key of order) if (!done.has(key)) visit(key)
  for (const key of after.reverse()) {
    const depth = depths.get(key) ?? 0
    depths.set(key, depth)
    for (const connection of next.get(key) ?? []) {
      if (!closing.has(connection))
        depths.set(connection.to, Math.max(depths.get(connection.to) ?? 0, depth + 1))
    }
  }
  return depths
}

/** Returns where a step would stand best: in the middle below the steps that lead to it, the outcomes of one side by side. */
function wishOf(key: string, { connections }: EditedGraph, xs: ReadonlyMap<string, number>): number {
  const wishes = connections.flatMap(({ from, to }) => {
    const x = xs.get(from)
    if (to !== key || x === undefined) return []
    const siblings = [...new Set(connections.filter((each) => each.from === from).map((each) => each.to))]
    return [x + (siblings.indexOf(key) - (siblings.length - 1) / 2) * COLUMN]
  })
  return wishes.length === 0 ? 0 : wishes.reduce((sum, x) => sum + x, 0) / wishes.length
}

/** Moves steps of one layer apart, as little as needed to the right, and then all back by half of it. */
function spread(wished: readonly { key: string; x: number }[]): { key: string; x: number }[] {
  let least = Number.NEGATIVE_INFINITY
  const moved = wished.map(({ key, x }) => {
    const at = Math.max(x, least)
    least = at + COLUMN
    return { key, x: at }
  })
  const last = moved.length - 1
  const back = ((moved[last]?.x ?? 0) - (wished[last]?.x ?? 0)) / 2
  return moved.map(({ key, x }) => ({ key, x: x - back }))
}
