import type { StepValue } from './graph-types.ts'
import { variableOf } from './read-values.ts'
import { lookUp, type RunScope } from './run-scope.ts'

export interface ResolvedValues {
  /** Plain values as they are, variables by what was found: any JSON; dates in ISO 8601. */
  values: Readonly<Record<string, unknown>>
  /** The variables without a value. `values` lacks them. A template may have a fallback for them. */
  missing: readonly MissingVariable[]
}

interface MissingVariable {
  /** The key in the values. */
  name: string
  /** Such as `event.plan`. */
  path: string
}

/** Looks up the variables among values. One whose value is null has a value: null. */
export function resolveValues(
  values: Readonly<Record<string, StepValue | null>>,
  scope: RunScope,
): ResolvedValues {
  const missing: MissingVariable[] = []
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const path = variableOf(value)?.var
    if (path === undefined) return [[name, value]]
    const found = lookUp(path, scope)
    if (found === undefined) missing.push({ name, path })
    return found === undefined ? [] : [[name, found instanceof Date ? found.toISOString() : found]]
  })
  // Unlike assignment, fromEntries gives a key such as __proto__ no special meaning.
  return { values: Object.fromEntries(entries), missing }
}
