/** `npm run bench -- cells [--quick] [--rounds N]`: one and two cells in turn, each with its own PostgreSQL, on this machine. */
import { compareCounts } from '../support/compare-counts.ts'
import { measureCells } from './measure.ts'
import { CELLS_HEADING, formatCells } from './report.ts'

/** Resolves with the exit code. */
export const runCells = (args: string[]): Promise<number> =>
  compareCounts(args, {
    name: 'cells',
    heading: CELLS_HEADING,
    full: { count: 20_000, rounds: 3 },
    quick: { count: 2_000, rounds: 1 },
    counts: [1, 2],
    measure: measureCells,
    describe: ({ endToEnd, cpuSeconds }) =>
      `end to end ${endToEnd.toFixed(0)} emails/s, ${cpuSeconds.toFixed(2)} CPU s/1,000 emails`,
    format: formatCells,
  })
