/** Returns the form of a sentence for one thing, or the form for any other number. */
export const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many)
