import { useState } from 'react'
import type { Values } from '../checks/variables.ts'

const STORE = 'sendwright-test-values'
/** Values of the most recently edited templates are stored. */
const TEMPLATES_STORED_MAX = 30
const VALUES_CHARS_MAX = 20_000

type Stored = [templateId: string, values: Values][]

/** Test values of a template. They stay in this browser and are never saved with the template. */
export function useTestValues(templateId: string): [Values, (key: string, value: string) => void] {
  const [values, setValues] = useState<Values>(() => new Map(readStored()).get(templateId) ?? {})
  return [
    values,
    (key, value) => {
      const next = { ...values, [key]: value }
      setValues(next)
      store(templateId, next)
    },
  ]
}

function store(templateId: string, values: Values): void {
  if (JSON.stringify(values).length > VALUES_CHARS_MAX) return
  const others = readStored().filter(([id]) => id !== templateId)
  const stored: Stored = [[templateId, values], ...others.slice(0, TEMPLATES_STORED_MAX - 1)]
  try {
    localStorage.setItem(STORE, JSON.stringify(stored))
  } catch {
    // Without storage, the values last until the page is closed.
  }
}

/** Ignores entries that another version wrote or that someone changed. */
function readStored(): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStored) : []
  } catch {
    return []
  }
}

const isStored = (one: unknown): one is Stored[number] =>
  Array.isArray(one) &&
  typeof one[0] === 'string' &&
  typeof one[1] === 'object' &&
  one[1] !== null &&
  Object.values(one[1] as object).every((value) => typeof value === 'string')
