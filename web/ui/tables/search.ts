/**
 * Returns a function that picks these parameters from the query string of a page and omits empty ones, for
 * `validateSearch` of routes.
 */
export function readSearch<const N extends string>(
  ...names: readonly N[]
): (search: Record<string, unknown>) => Partial<Record<N, string>> {
  return (search) => {
    const found: Partial<Record<N, string>> = {}
    for (const name of names) {
      const value = search[name]
      if (value !== undefined && value !== null && value !== '') found[name] = String(value)
    }
    return found
  }
}
