const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** Formats a size in decimal units: `52 KB`. */
export function showBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000
    unit += 1
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`
}
