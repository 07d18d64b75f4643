const MINUTE_MS = 60_000

/** Returns `HH:MM` as milliseconds since midnight. The text must be valid. */
export function timeOfDayMs(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE_MS
}
