import { expect, test } from 'vitest'
import { readGraph } from '../../../../src/automations/graph/read-graph.ts'
import { RECIPES } from './recipes.ts'

const ID = '0198c0de-0000-7000-8000-0000000000a1'

test.each(RECIPES)('the recipe $name can be created, and activated once its records are chosen', (recipe) => {
  const { steps, connections, settings } = recipe
  const draft = readGraph({ steps, connections, settings }, false)
  expect(draft.problems.toErrors()).toEqual({})
  const chosen = steps.map((step) => ({ ...step, config: { ...step.config, ...recordsOf(step) } }))
  const whole = readGraph({ steps: chosen, connections, settings }, true)
  expect(whole.problems.toErrors()).toEqual({})
})

test('recipes have different names', () => {
  expect(new Set(RECIPES.map(({ name }) => name)).size).toBe(RECIPES.length)
})

function recordsOf({ type, config }: (typeof RECIPES)[number]['steps'][number]): object {
  if (type === 'send_email') return { template: { id: ID } }
  const { type: trigger } = config as { type?: string }
  if (trigger === 'list_joined') return { list_id: ID }
  return trigger === 'segment_entered' ? { segment_id: ID } : {}
}
