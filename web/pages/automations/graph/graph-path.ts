import type { Connections, EditedGraph } from './edit-graph.ts'

/** The part of a graph that a run took, or would take. */
export interface GraphPath {
  steps: ReadonlySet<string>
  /** As `connectionId` names them. */
  connections: ReadonlySet<string>
  /** The last step. Null: there is none. */
  at: string | null
}

interface TakenStep {
  key: string
  /** The type of the connection by which it was left; null if it was not left. Undefined: any that leads to the next step. */
  connection?: string | null
}

/** Returns the name of a connection: a step has one for each of its outcomes. */
export const connectionId = ({ from, type }: Pick<Connections[number], 'from' | 'type'>): string =>
  `${from} ${type}`

/** Returns the path of steps that follow each other. A goal can be reached without a connection. */
export function pathOf({ connections }: EditedGraph, taken: readonly TakenStep[]): GraphPath {
  const ids = taken.slice(1).flatMap(({ key }, index) => {
    const before = taken[index]
    return connections
      .filter(({ from, to, type }) => {
        const isHere = from === before?.key && to === key
        return isHere && (before.connection === undefined || before.connection === type)
      })
      .map(connectionId)
  })
  return {
    steps: new Set(taken.map(({ key }) => key)),
    connections: new Set(ids),
    at: taken.at(-1)?.key ?? null,
  }
}
