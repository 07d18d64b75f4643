import { expect, test } from 'vitest'
import type { EditedGraph } from './edit-graph.ts'
import { layoutGraph } from './layout-graph.ts'

const heightOf = () => 64
const GRAPH: EditedGraph = {
  steps: [
    { key: 'start', type: 'trigger', config: {} },
    { key: 'pause', type: 'delay', config: {} },
    { key: 'end', type: 'exit', config: {} },
  ],
  connections: [
    { from: 'start', to: 'pause', type: 'default' },
    { from: 'pause', to: 'end', type: 'default' },
  ],
}

test('steps lie below those that lead to them, side by side, also in a cycle', () => {
  const cycle = {
    ...GRAPH,
    connections: [...GRAPH.connections, { from: 'pause', to: 'start', type: 'timeout' as const }],
  }
  expect(layoutGraph(cycle, heightOf).map(({ key, y }) => [key, y > 0])).toEqual([
    ['start', false],
    ['pause', true],
    ['end', true],
  ])
  const fork: EditedGraph = {
    steps: ['start', 'left', 'right'].map((key) => ({ key, type: 'delay', config: {} })),
    connections: [
      { from: 'start', to: 'left', type: 'condition_met' },
      { from: 'start', to: 'right', type: 'condition_not_met' },
    ],
  }
  const [start, left, right] = layoutGraph(fork, heightOf)
  expect(left?.y).toBe(right?.y)
  expect((left?.x ?? 0) + (right?.x ?? 0)).toBe(2 * (start?.x ?? 0))
  expect((right?.x ?? 0) - (left?.x ?? 0)).toBeGreaterThan(220)
})
