/** Returns the form of a sentence for one thing, or the form for any other number. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)

const COMPACT_NUMBER = new Intl.NumberFormat(undefined, { notation: 'compact' })

/** Formats a large number in a few characters: `1.2K`. */
export const showCompact = (count: number): string => COMPACT_NUMBER.format(count)
