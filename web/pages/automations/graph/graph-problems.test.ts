import { expect, test } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import type { EditedGraph } from './edit-graph.ts'
import { problemsByStep, settingsProblemsOf } from './graph-problems.ts'

const GRAPH: EditedGraph = {
  steps: ['start', 'fork', 'left', 'right'].map((key) => ({ key, type: 'delay', config: {} })),
  connections: [
    { from: 'start', to: 'fork', type: 'default' },
    { from: 'fork', to: 'left', type: 'condition_met' },
    { from: 'fork', to: 'right', type: 'condition_not_met' },
    { from: 'right', to: 'start', type: 'default' },
  ],
}

const PROBLEM = {
  ...GRAPH,
  error: new ApiError(422, {
    errors: {
      'steps.2.config.duration': ['The steps.2.config.duration field is required.'],
      'steps.3': ['The steps.3 field is not reached by a run.'],
      'connections.0.to': ['The connections.0.to field must be the key of a step.'],
      'settings.reentry': ['The settings.reentry field is unknown.'],
    },
  }),
}

test('messages follow their step without its path, and end with the config that they are about', () => {
  const reversed = { ...GRAPH, steps: GRAPH.steps.toReversed() }
  expect(problemsByStep(PROBLEM, reversed)).toEqual(
    new Map([
      ['left', new Map([['duration', 'The duration field is required.']])],
      ['right', new Map([['', 'It is not reached by a run.']])],
      ['start', new Map([['', 'The to field must be the key of a step.']])],
    ]),
  )
  const mended = {
    ...GRAPH,
    steps: GRAPH.steps.map((step) =>
      step.key === 'left' ? { ...step, config: { duration: '1 day' } } : step,
    ),
  }
  expect([...problemsByStep(PROBLEM, mended).keys()]).toEqual(['right', 'start'])
})

test('messages about settings name the field', () => {
  expect(settingsProblemsOf(PROBLEM)).toEqual(new Map([['reentry', 'The reentry field is unknown.']]))
})

test('other errors are about no step', () => {
  const offline = { ...GRAPH, error: new Error('The server did not respond.') }
  expect(problemsByStep(offline, GRAPH).size).toBe(0)
  expect(settingsProblemsOf(offline).size).toBe(0)
})
