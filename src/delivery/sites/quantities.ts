const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30s`, `5m`: milliseconds. The text has the form of a duration. */
export function durationOf(text: string): number {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text)
  return Number(match?.[1] ?? 0) * (UNITS[match?.[2] ?? 'ms'] as number)
}

/** The form of a rate: messages, a slash, a time. */
export const RATE = '^\\d{1,7}/\\d{0,6}(s|m|h|d)$'
/** So many times are remembered of one site; a larger rate is the same rate over a shorter time. */
const COUNT_MAX = 1000

/** `100/1m`, `5/s`: so many messages in any such time. The text has the form of a rate. */
export function readRate(
  text: string,
  where: string,
  problems: string[],
): { count: number; perMs: number } | null {
  const [many = '', time = ''] = text.split('/')
  const count = Number(many)
  const perMs = durationOf(/^\d/.test(time) ? time : `1${time}`)
  if (count === 0 || perMs === 0) {
    problems.push(`${where}: it must be at least one message in at least a second; to send none, use a stop.`)
    return null
  }
  const parts = Math.ceil(count / COUNT_MAX)
  return { count: Math.round(count / parts), perMs: perMs / parts }
}
