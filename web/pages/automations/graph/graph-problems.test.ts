import { expect, test } from 'vitest'
import type { EditedGraph } from './edit-graph.ts'
import { problemsByStep } from './graph-problems.ts'
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

test('messages follow their step, and end with the config that they are about', () => {
  const fields = {
    'steps.2.config.duration': ['It is required.'],
    'steps.3': ['No run reaches it.'],
    'connections.0.to': ['There is no such step.'],
    'settings.reentry': ['It is unknown.'],
  }
  const reversed = { ...GRAPH, steps: GRAPH.steps.toReversed() }
  expect(problemsByStep(fields, GRAPH, reversed)).toEqual(
    new Map([
      ['left', new Map([['duration', 'It is required.']])],
      ['right', new Map([['', 'No run reaches it.']])],
      ['start', new Map([['', 'There is no such step.']])],
    ]),
  )
  const mended = {
    ...GRAPH,
    steps: GRAPH.steps.map((step) =>
      step.key === 'left' ? { ...step, config: { duration: '1 day' } } : step,
    ),
  }
  expect([...problemsByStep(fields, GRAPH, mended).keys()]).toEqual(['right', 'start'])
})

test('arrow keys go along connections, and among the branches of a fork', () => {
  const places = layoutGraph(GRAPH)
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
