import { expect, test } from 'vitest'
import type { EditedGraph } from './edit-graph.ts'
import { layoutGraph } from './layout-graph.ts'
import { neighbourOf } from './neighbours.ts'

const GRAPH: EditedGraph = {
  steps: ['start', 'fork', 'left', 'right'].map((key) => ({ key, type: 'delay', config: {} })),
  connections: [
    { from: 'start', to: 'fork', type: 'default' },
    { from: 'fork', to: 'left', type: 'condition_met' },
    { from: 'fork', to: 'right', type: 'condition_not_met' },
    { from: 'right', to: 'start', type: 'default' },
  ],
}

test('arrow keys go along connections, and among the branches of a fork', () => {
  const places = layoutGraph(GRAPH, () => 64)
  const go = (key: string, pressed: string) => neighbourOf(places, GRAPH, key, `Arrow${pressed}`)
  expect(go('start', 'Down')).toBe('fork')
  expect(go('fork', 'Down')).toBe('left')
  expect(go('left', 'Right')).toBe('right')
  expect(go('right', 'Left')).toBe('left')
  expect(go('left', 'Left')).toBeNull()
  expect(go('left', 'Down')).toBeNull()
  expect(go('right', 'Up')).toBe('fork')
  expect(neighbourOf(places, GRAPH, 'fork', 'Enter')).toBeNull()
})
