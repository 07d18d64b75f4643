import Type from 'typebox'
import { expect, test } from 'vitest'
import { DELAY_STEP, givenGraph, TRIGGER_STEP } from '../../../test/support/graphs.ts'
import { checkShape } from '../../http/json/shape.ts'
import {
  GRAPH_EXAMPLE,
  GraphConnectionModel,
  GraphSettingsModel,
  GraphStepAnswer,
  GraphStepInput,
  STEP_PROSE,
  TRIGGER_PROSE,
} from './graph-schemas.ts'
import { STEP_KINDS } from './read-step-config.ts'
import { TRIGGER_KINDS } from './read-trigger.ts'

const Body = Type.Object({
  steps: Type.Array(GraphStepInput),
  connections: Type.Array(GraphConnectionModel),
  settings: Type.Optional(GraphSettingsModel),
})

test('the example of the API is complete, and in canonical form', () => {
  expect(checkShape(Body, GRAPH_EXAMPLE)).toBeNull()
  expect(checkShape(Type.Array(GraphStepAnswer), GRAPH_EXAMPLE.steps)).toBeNull()
  const { graph, errors } = givenGraph(GRAPH_EXAMPLE, true)
  expect(errors).toEqual({})
  expect(graph).toEqual(GRAPH_EXAMPLE)
})

/** Returns the fields that a description names outside of quotes. */
const fieldsIn = (prose: string) => prose.replaceAll(/`\w+`/g, '').match(/[a-z_]+/g) ?? []

test.each(STEP_KINDS.filter((kind) => kind !== 'trigger' && kind !== 'condition'))(
  'the reader knows the fields that the description of %s names',
  (type) => {
    const words = ['or', 'and', 'id', 'variables', ...(type === 'split' ? ['rule'] : []), 'weight', 'name']
    const fields = fieldsIn(STEP_PROSE[type]).filter((field) => !words.includes(field))
    const config = Object.fromEntries(fields.map((field) => [field, {}]))
    const { errors } = givenGraph({ steps: [{ key: 'a', type, config }] })
    expect(Object.entries(errors).filter(([, says]) => says === 'is unknown.')).toEqual([])
  },
)

test.each(TRIGGER_KINDS)(
  'the reader knows the fields that the description of the trigger %s names',
  (type) => {
    const fields = fieldsIn(TRIGGER_PROSE[type]).filter((field) => field !== 'or')
    const config = Object.fromEntries([['type', type], ...fields.map((field) => [field, {}])])
    const { errors } = givenGraph({ steps: [{ key: 'a', type: 'trigger', config }] })
    expect(Object.entries(errors).filter(([, says]) => says === 'is unknown.')).toEqual([])
  },
)

test('every setting of the model is known to the reader', () => {
  const settings = Object.fromEntries(Object.keys(GraphSettingsModel.properties).map((name) => [name, {}]))
  const { errors } = givenGraph({ steps: [TRIGGER_STEP, DELAY_STEP], settings })
  expect(Object.values(errors).filter((says) => says === 'is unknown.')).toEqual([])
  expect(Object.keys(errors)).toHaveLength(Object.keys(settings).length)
})

test('the models are short', () => {
  const models = [GraphStepInput, GraphStepAnswer, GraphConnectionModel, GraphSettingsModel]
  expect(JSON.stringify(models).length).toBeLessThan(3500)
})
