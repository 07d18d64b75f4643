import { expect, test } from 'vitest'
import { connect, EXIT_STEP, GRAPH_ID, givenGraph, TRIGGER_STEP } from '../../../test/support/graphs.ts'
import { indexGraph, nextOf } from './graph-index.ts'
import type { Graph } from './graph-types.ts'

test('nextOf follows the outcome of a step', () => {
  const steps = [
    TRIGGER_STEP,
    { key: 'if', type: 'condition', config: { type: 'segment', segment_id: GRAPH_ID } },
    EXIT_STEP,
  ]
  const index = indexGraph(
    givenGraph({ steps, connections: connect('start if', 'if end condition_met') }).graph as Graph,
  )
  expect(nextOf(index, 'start')).toBe('if')
  expect(nextOf(index, 'if', 'condition_met')).toBe('end')
  expect(nextOf(index, 'if', 'condition_not_met')).toBeNull()
  expect(nextOf(index, 'constructor')).toBeNull()
  expect(index.steps.get('end')?.type).toBe('exit')
})
