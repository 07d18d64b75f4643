import { describe, expect, test } from 'vitest'
import {
  addStep,
  connect,
  type EditedGraph,
  outcomesOf,
  removeBranch,
  removeStep,
  setConfig,
  withoutLeftovers,
} from './edit-graph.ts'

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

describe('editing a graph', () => {
  test('a step between two others is followed by the second; a removed one is bridged', () => {
    const { graph, key } = addStep(GRAPH, 'condition', { from: 'start', type: 'default' })
    expect(graph.connections).toContainEqual({ from: 'start', to: key, type: 'default' })
    expect(graph.connections).toContainEqual({ from: key, to: 'pause', type: 'condition_met' })
    const bridged = removeStep(graph, key)
    expect(bridged.steps).toEqual(GRAPH.steps)
    expect(new Set(bridged.connections)).toEqual(new Set(GRAPH.connections))
  })

  test('keys of steps differ, and no step follows one that ends the run', () => {
    const { graph, key } = addStep(GRAPH, 'exit', { from: 'pause', type: 'default' })
    expect(key).toBe('exit')
    expect(graph.connections).toEqual([GRAPH.connections[0], { from: 'pause', to: 'exit', type: 'default' }])
    expect(addStep(graph, 'exit', null).key).toBe('exit_2')
  })

  test('a webhook has a timeout while its response is awaited', () => {
    const { graph, key } = addStep(GRAPH, 'webhook', { from: 'start', type: 'default' })
    const waiting = connect(
      setConfig(graph, key, { response_timeout: '1 hour' }),
      { from: key, type: 'timeout' },
      'end',
    )
    const typesOf = ({ connections }: EditedGraph) =>
      connections.filter(({ from }) => from === key).map(({ type }) => type)
    expect(typesOf(waiting)).toEqual(['default', 'timeout'])
    const cleared = setConfig(waiting, key, {})
    expect(outcomesOf({ key, type: 'webhook', config: {} })).toEqual(['default'])
    expect(typesOf(withoutLeftovers(cleared))).toEqual(['default'])
    expect(removeStep(cleared, key).connections).toContainEqual({
      from: 'start',
      to: 'pause',
      type: 'default',
    })
    const again = setConfig(cleared, key, { response_timeout: '2 hours' })
    expect(withoutLeftovers(again)).toBe(again)
    expect(typesOf(again)).toEqual(['default', 'timeout'])
  })

  test('a branch that is removed takes its connection with it; those of later branches stay with them', () => {
    const { graph, key } = addStep(GRAPH, 'split', { from: 'start', type: 'default' })
    const branches = ['a', 'b', 'c'].map((name) => ({ name }))
    const targets = { branch_1: 'pause', branch_2: 'end', branch_3: 'pause', default: 'end' } as const
    const three = Object.entries(targets).reduce(
      (now, [type, to]) => connect(now, { from: key, type: type as keyof typeof targets }, to),
      setConfig(graph, key, { branches, note: 'kept' }),
    )
    const one = removeBranch(removeBranch(three, key, 0), key, 0)
    expect(one.steps.find((step) => step.key === key)?.config).toEqual({
      branches: [{ name: 'c' }],
      note: 'kept',
    })
    expect(one.connections.filter(({ from }) => from === key)).toEqual([
      { from: key, to: 'pause', type: 'branch_1' },
      { from: key, to: 'end', type: 'default' },
    ])
    expect(one.connections).toContainEqual({ from: 'pause', to: 'end', type: 'default' })
    const firstTwo = removeBranch(three, key, 2)
    expect(firstTwo.connections.filter(({ from, type }) => from === key && type !== 'default')).toEqual([
      { from: key, to: 'pause', type: 'branch_1' },
      { from: key, to: 'end', type: 'branch_2' },
    ])
  })

  test('an outcome can lead nowhere; branches of another form are none', () => {
    const nowhere = connect(GRAPH, { from: 'pause', type: 'default' }, null)
    expect(nowhere.connections).toEqual([GRAPH.connections[0]])
    expect(outcomesOf({ key: 'split', type: 'split', config: { branches: 5 } })).toEqual(['default'])
  })
})
