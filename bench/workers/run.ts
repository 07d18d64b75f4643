/**
 * `npm run bench -- workers [--quick] [--rounds N]`: one and two workers in turn on this machine, and the memory of each
 * process after the start and after load.
 */
import { compareCounts } from '../support/compare-counts.ts'
import { measureWorkers } from './measure.ts'
import { formatWorkers, WORKERS_HEADING } from './report.ts'

/** An idle process returns memory after 30 to 40 seconds. */
const QUIET_MS = 45_000

/** Resolves with the exit code. */
export const runWorkers = (args: string[]): Promise<number> =>
  compareCounts(args, {
    name: 'workers',
    heading: WORKERS_HEADING,
    full: { count: 20_000, quietMs: QUIET_MS, rounds: 3 },
    quick: { count: 2_000, quietMs: QUIET_MS, rounds: 1 },
    counts: [1, 2],
    measure: measureWorkers,
    describe: ({ endToEnd, accept }) =>
      `end to end ${endToEnd.toFixed(0)} emails/s, accept ${accept.toFixed(0)} emails/s`,
    format: formatWorkers,
  })
