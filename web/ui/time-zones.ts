/**
 * Returns the names of time zones, with one that this browser may not list: it lists no aliases, and some not even UTC, which the
 * API takes all the same.
 * @param zone such a name, or empty
 */
export const timeZonesWith = (zone: string): string[] =>
  [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].filter((name) => name !== '').sort()
