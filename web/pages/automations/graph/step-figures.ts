import type { AutomationFigures } from '../../../api/records.ts'

/** A count of the runs, or of the emails, of a step. */
export interface StepFigure {
  word: string
  count: number
  isBad: boolean
}

type Counts = Omit<AutomationFigures['steps'][number], 'key'>
type Shown = readonly (keyof Counts)[]

const OF_RUNS: Shown = ['entered', 'waiting', 'done', 'failed']
const OF_EMAILS: Shown = ['delivered', 'opened', 'clicked', 'bounced']
const BAD: Shown = ['failed', 'bounced']
const NONE: Partial<Counts> = {}

/** Returns the figures of a step in rows of four: of its runs, and of its emails if it sends some. */
export function figureRowsOf(type: string, counts: Partial<Counts> = NONE): StepFigure[][] {
  const rows = type === 'send_email' ? [OF_RUNS, OF_EMAILS] : [OF_RUNS]
  return rows.map((row) =>
    row.map((word) => {
      const count = counts[word] ?? 0
      return { word, count, isBad: count > 0 && BAD.includes(word) }
    }),
  )
}
