import { useState } from 'react'
import type { Values } from './variables.ts'

const STORE = 'sendwright-test-values'
/** Of so many templates the values are kept, the newest. */
const TEMPLATES_KEPT_MAX = 30
const VALUES_CHARS_MAX = 20_000

type Kept = [templateId: string, values: Values][]

/** Values to try a template with. They stay in this browser, and are never saved with the template. */
export function useTestValues(templateId: string): [Values, (key: string, value: string) => void] {
  const [values, setValues] = useState<Values>(() => new Map(readKept()).get(templateId) ?? {})
  return [
    values,
    (key, value) => {
      const next = { ...values, [key]: value }
      setValues(next)
      keep(templateId, next)
    },
  ]
}

function keep(templateId: string, values: Values): void {
  if (JSON.stringify(values).length > VALUES_CHARS_MAX) return
  const others = readKept().filter(([id]) => id !== templateId)
  const kept: Kept = [[templateId, values], ...others.slice(0, TEMPLATES_KEPT_MAX - 1)]
  try {
    localStorage.setItem(STORE, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing: they last as long as the page.
  }
}

/** What lies there may be of another version, or of another hand. */
function readKept(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

const isKept = (one: unknown): one is Kept[number] =>
  Array.isArray(one) &&
  typeof one[0] === 'string' &&
  typeof one[1] === 'object' &&
  one[1] !== null &&
  Object.values(one[1] as object).every((value) => typeof value === 'string')
