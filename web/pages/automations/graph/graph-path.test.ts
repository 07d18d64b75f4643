import { expect, test } from 'vitest'
import type { EditedGraph } from './edit-graph.ts'
import { pathOf } from './graph-path.ts'

const GRAPH: EditedGraph = {
  steps: ['start', 'is_pro', 'thanks', 'end'].map((key) => ({ key, type: 'delay', config: {} })),
  connections: [
    { from: 'start', to: 'is_pro', type: 'default' },
    { from: 'is_pro', to: 'thanks', type: 'condition_met' },
    { from: 'is_pro', to: 'thanks', type: 'condition_not_met' },
    { from: 'thanks', to: 'end', type: 'default' },
  ],
}

test('a path has the connection by which each step was left', () => {
  const path = pathOf(GRAPH, [
    { key: 'start', connection: 'default' },
    { key: 'is_pro', connection: 'condition_not_met' },
    { key: 'thanks', connection: null },
  ])
  expect([...path.steps]).toEqual(['start', 'is_pro', 'thanks'])
  expect([...path.connections]).toEqual(['start default', 'is_pro condition_not_met'])
  expect(path.at).toBe('thanks')
})

test('without them it has all that lead to the next step, and a goal needs none', () => {
  const path = pathOf(GRAPH, [{ key: 'start' }, { key: 'is_pro' }, { key: 'thanks' }])
  expect(path.connections.size).toBe(3)
  expect(pathOf(GRAPH, [{ key: 'start' }, { key: 'end' }]).connections.size).toBe(0)
  expect(pathOf(GRAPH, [])).toEqual({ steps: new Set(), connections: new Set(), at: null })
})
