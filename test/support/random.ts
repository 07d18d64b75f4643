/**
 * Creates a generator of numbers from 0 to 1 (mulberry32). The sequence depends only on the seed, so that runs can be
 * compared.
 */
export function seedRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Shuffles the items; the order depends only on the seed. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = seedRandom(seed)
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
