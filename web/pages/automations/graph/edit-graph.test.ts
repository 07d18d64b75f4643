import { describe, expect, test } from 'vitest'
import { addStep, connect, type EditedGraph, removeStep, setConfig } from './edit-graph.ts'

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
    expect(typesOf(setConfig(waiting, key, {}))).toEqual(['default'])
  })

  test('a split that loses a branch loses its connection; an outcome can lead nowhere', () => {
    const { graph, key } = addStep(GRAPH, 'random_split', { from: 'start', type: 'default' })
    const both = connect(graph, { from: key, type: 'branch_2' }, 'end')
    const one = setConfig(both, key, { branches: [{ weight: 1 }] })
    expect(one.connections.filter(({ from }) => from === key)).toEqual([
      { from: key, to: 'pause', type: 'branch_1' },
    ])
    expect(
      connect(one, { from: key, type: 'branch_1' }, null).connections.some(({ from }) => from === key),
    ).toBe(false)
  })
})
