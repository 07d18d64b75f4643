/** Formats a time as `YYYY-MM-DD HH:MM:SS` in UTC, the form of every timestamp in responses. */
export function formatTime(at: Date): string
export function formatTime(at: Date | null): string | null
export function formatTime(at: Date | null): string | null {
  return at === null ? null : at.toISOString().slice(0, 19).replace('T', ' ')
}
