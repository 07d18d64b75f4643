const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Converts a duration such as `30s` or `5m` to milliseconds. The text must have the form of a duration. */
export function durationOf(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text)
  return Number(match?.[1] ?? 0) * (UNITS[match?.[2] ?? 'ms'] as number)
}

/** The form of a rate: messages, a slash, a period. */
export const RATE = '^\\d{1,7}/\\d{0,6}(s|m|h|d)$'
/** The most timestamps stored for one site. A larger rate is converted to a shorter period. */
const COUNT_MAX = 1000

/** Parses a rate such as `100/1m` or `5/s`: the messages in any period of that length. The text must have this form. */
export function readRate(
  text: string,
  where: string,
  problems: string[],
): { count: number; perMs: number } | null {
  const [many = '', time = ''] = text.split('/')
  const count = Number(many)
  const perMs = durationOf(/^\d/.test(time) ? time : `1${time}`)
  if (count === 0 || perMs === 0) {
    problems.push(`${where}: it must allow at least one message, in a period of at least one second.`)
    return null
  }
  const parts = Math.ceil(count / COUNT_MAX)
  return { count: Math.round(count / parts), perMs: perMs / parts }
}
