/** `YYYY-MM-DD HH:MM:SS` in UTC: how every timestamp of an answer is written. */
export function presentTime(at: Date): string
export function presentTime(at: Date | null): string | null
export function presentTime(at: Date | null): string | null {
  return at === null ? null : at.toISOString().slice(0, 19).replace('T', ' ')
}
