import { hashKey } from '@tanstack/react-query'
import type { Automation } from '../../../api/records.ts'
import { withoutLeftovers } from './edit-graph.ts'
import { parseObject, showJson } from './json-text.ts'

/** What the editor changes besides the name. */
export type Definition = Pick<Automation, 'steps' | 'connections' | 'settings'>

/** What is edited, as a graph or as text, and what it was before each change. */
export interface Editing {
  past: readonly Definition[]
  /** While the text is not a definition: the last one that it was. */
  definition: Definition
  /** Null while the graph is shown. */
  text: string | null
}

const UNDO_MAX = 100

export const editingOf = (automation: Automation): Editing => ({
  past: [],
  definition: definitionOf(automation),
  text: null,
})

/** Returns what the editor changes, in a form to compare. */
export function contentOf(automation: Automation): string {
  return writeContent(automation.name, definitionOf(automation))
}

/** Sorts the names of fields: those of saved records have another order than those of responses to a change. */
export const writeContent = (name: string, definition: Definition): string => hashKey([name, definition])

export function definitionOf({ steps, connections, settings }: Automation): Definition {
  return { steps, connections, settings }
}

/** Returns what is edited after a change. */
export function change({ past, definition, text }: Editing, next: Definition): Editing {
  return { past: [...past, definition].slice(-UNDO_MAX), definition: next, text }
}

/** Returns what is edited after another text was typed. */
export function typeText(editing: Editing, text: string): Editing {
  // The text editor also reports texts that it was given, as by Undo.
  if (text === editing.text) return editing
  const next = { ...editing, text }
  const read = readDefinition(text, editing.definition.settings)
  return read === null ? next : change(next, read)
}

/** Returns what is edited after it is shown as a graph, or as text. */
export function view(editing: Editing, isGraph: boolean): Editing {
  if (isGraph) return { ...editing, text: null }
  const definition = withoutLeftovers(editing.definition)
  return { ...editing, definition, text: showJson(definition) }
}

/** Returns what is edited without the last change. */
export function undo({ past, definition, text }: Editing): Editing {
  const last = past.at(-1) ?? definition
  return { past: past.slice(0, -1), definition: last, text: text === null ? null : showJson(last) }
}

/** Returns what to save. A text is sent whole, so that the API can name its errors. */
export function savedOf({ definition, text }: Editing): Definition {
  return text === null ? withoutLeftovers(definition) : definition
}

/** Returns what is edited once it is saved: what the API answered, or what was typed since it was sent. */
export function afterSave(now: Editing, sent: Editing, answer: Definition): Editing {
  return {
    past: now.past,
    definition: now.definition === sent.definition ? answer : now.definition,
    text: now.text !== null && now.text === sent.text ? showJson(answer) : now.text,
  }
}

/** Returns what is edited after it was replaced by what someone else saved. */
export function take(editing: Editing, theirs: Definition): Editing {
  return { ...change(editing, theirs), text: editing.text === null ? null : showJson(theirs) }
}

/** Returns whether a text can be shown as a graph. */
export const isDefinition = (text: string): boolean => readDefinition(text, {}) !== null

/**
 * Returns what a text defines; null if the editor cannot show it as a graph. The API checks the rest.
 * @param before the settings of a text without any
 */
function readDefinition(text: string, before: Definition['settings']): Definition | null {
  const { steps, connections, settings, ...others } = parseObject(text) ?? {}
  const next = settings ?? before
  if (!isListOf(steps, isStep) || !isListOf(connections, isConnection) || !isRecord(next)) return null
  // The API lets a connection leave out its type.
  const typed = connections.map((each) => ({ ...each, type: each.type ?? 'default' }))
  return { ...others, steps, connections: typed, settings: next } as unknown as Definition
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListOf = (value: unknown, isItem: (fields: Fields) => boolean): value is Fields[] =>
  Array.isArray(value) && value.every((item) => isRecord(item) && isItem(item))

const isStep = ({ key, type, config }: Fields): boolean =>
  typeof key === 'string' && typeof type === 'string' && isRecord(config)

const isConnection = ({ from, to, type }: Fields): boolean =>
  typeof from === 'string' && typeof to === 'string' && typeof (type ?? '') === 'string'
