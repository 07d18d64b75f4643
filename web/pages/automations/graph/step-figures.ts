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
/** With those of the first row, they add up to the runs that entered. */
const OF_OTHER_RUNS: Shown = ['skipped', 'exited']
const OF_EMAILS: Shown = ['delivered', 'opened', 'clicked', 'bounced']
const BAD: Shown = ['failed', 'bounced']

/** Returns the figures of a step in rows: of its runs, of those that skipped it or ended there if there are any, and of its emails. */
export function figureRowsOf(type: string, counts: Partial<Counts>): StepFigure[][] {
  const hasOthers = OF_OTHER_RUNS.some((word) => (counts[word] ?? 0) > 0)
  const rows = [OF_RUNS, ...(hasOthers ? [OF_OTHER_RUNS] : []), ...(type === 'send_email' ? [OF_EMAILS] : [])]
  return rows.map((row) =>
    row.map((word) => {
      const count = counts[word] ?? 0
      return { word, count, isBad: count > 0 && BAD.includes(word) }
    }),
  )
}
