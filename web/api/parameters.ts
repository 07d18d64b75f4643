/** Parameters whose empty value has a meaning: an empty `tag_value` stands for the tags without a value. */
const WITH_EMPTY_VALUE: ReadonlySet<string> = new Set(['tag_value'])

type Values<N extends string> = Partial<Record<N, string>>

/** Returns whether a parameter of an address or a request is set. Most empty parameters are not. */
export function isSet(name: string, value: unknown): boolean {
  return value !== undefined && value !== null && (value !== '' || WITH_EMPTY_VALUE.has(name))
}

/** Returns these parameters, without those that are not set. */
export function pickSet<const N extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly N[],
): Values<N> {
  const values: Values<N> = {}
  for (const name of names) {
    const value = search[name]
    if (isSet(name, value)) values[name] = String(value)
  }
  return values
}

/** Returns all parameters that are set. */
export function withoutUnset(search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([name, value]) => isSet(name, value)))
}
