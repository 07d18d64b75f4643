/** Reads what a page's address says after its `?`: texts that are there and not empty. For `validateSearch` of routes. */
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
