const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as people say them: `1.4 GB`. */
export function showBytes(bytes: number): string {
  let amount = bytes
  let index = 0
  while (amount >= 1_000 && index < UNITS.length - 1) {
    amount /= 1_000
    index++
  }
  return `${amount < 10 && index > 0 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[index]}`
}
