import { expect, test } from 'vitest'
import {
  afterSave,
  change,
  type Definition,
  type Editing,
  isDefinition,
  savedOf,
  typeText,
  undo,
  view,
} from './editing.ts'
import { showJson } from './json-text.ts'

const DEFINITION: Definition = {
  steps: [
    { key: 'start', type: 'trigger', config: {} },
    { key: 'ask', type: 'webhook', config: {} },
  ],
  connections: [{ from: 'start', to: 'ask', type: 'default' }],
  settings: { resume_rate: 10 },
}
const EDITING: Editing = { past: [], definition: DEFINITION, text: null }
const LONGER = { ...DEFINITION, steps: [...DEFINITION.steps, { key: 'end', type: 'exit', config: {} }] }
const LEFT_OVER = {
  ...DEFINITION,
  connections: [...DEFINITION.connections, { from: 'ask', to: 'start', type: 'timeout' as const }],
}

test('a change is undone, as a graph and as text', () => {
  expect(undo(change(EDITING, LONGER))).toEqual(EDITING)
  const typed = typeText(view(EDITING, false), showJson(LONGER))
  expect(typed.definition).toEqual(LONGER)
  expect(undo(typed)).toEqual({ ...EDITING, text: showJson(DEFINITION) })
  expect(undo(EDITING)).toEqual(EDITING)
})

test('a text that the editor was given is no change', () => {
  const editing = view(change(EDITING, LONGER), false)
  expect(typeText(editing, showJson(LONGER))).toBe(editing)
})

test('a text that is no definition stays, with the last that it was', () => {
  expect(typeText(view(EDITING, false), '{')).toEqual({ ...EDITING, text: '{' })
})

test('a text may leave out settings and the types of connections', () => {
  const text = JSON.stringify({
    steps: DEFINITION.steps,
    connections: [{ from: 'start', to: 'ask' }],
    settings: null,
  })
  expect(typeText(view(EDITING, false), text).definition).toEqual(DEFINITION)
})

test('a field that is deleted from the text is no longer saved', () => {
  const pasted = typeText(view(EDITING, false), JSON.stringify({ id: 'a', ...DEFINITION }))
  expect(savedOf(pasted)).toHaveProperty('id')
  expect(savedOf(typeText(pasted, JSON.stringify(DEFINITION)))).toEqual(DEFINITION)
})

test('connections without an outcome are kept while the graph is edited, and neither saved nor shown as text', () => {
  const editing = change(EDITING, LEFT_OVER)
  expect(editing.definition.connections).toHaveLength(2)
  expect(savedOf(editing)).toEqual(DEFINITION)
  expect(view(editing, false).text).toBe(showJson(DEFINITION))
  expect(savedOf(typeText(view(EDITING, false), showJson(LEFT_OVER)))).toEqual(LEFT_OVER)
})

test('what was saved replaces what was sent, and nothing that was typed since', () => {
  const answer = { ...DEFINITION, settings: { resume_rate: 600 } }
  expect(afterSave(EDITING, EDITING, answer)).toEqual({ ...EDITING, definition: answer })
  const later = change(EDITING, LONGER)
  expect(afterSave(later, EDITING, answer)).toEqual(later)
  const sent = view(EDITING, false)
  expect(afterSave(sent, sent, answer).text).toBe(showJson(answer))
  expect(afterSave(typeText(sent, '{'), sent, answer).text).toBe('{')
})

test.each([
  ['no list of steps', { steps: {} }],
  ['a step that is null', { steps: [null] }],
  ['a step without a type', { steps: [{ key: 'start', config: {} }] }],
  ['a config that is null', { steps: [{ key: 'start', type: 'trigger', config: null }] }],
  ['a config that is a list', { steps: [{ key: 'start', type: 'trigger', config: [] }] }],
  ['a connection that is null', { connections: [null] }],
  ['a connection from nowhere', { connections: [{ to: 'ask' }] }],
  ['settings that are a text', { settings: 'none' }],
])('%s cannot be shown as a graph', (_, changes) => {
  expect(isDefinition(JSON.stringify({ ...DEFINITION, ...changes }))).toBe(false)
})
