import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'
import { limits, loadedByNode, reporters } from './vitest.config.ts'

/** These measure the processor time of a server: other busy servers beside it would be measured too. */
const measured = ['held-loop', 'held-loop-large', 'pipelined'].map((name) => `test/journeys/${name}.test.ts`)

/** These hold a busy server to a time, of two or ten seconds, which more than two at once would exceed by themselves. */
const timed = ['database-away', 'exact-limits', 'starved'].map((name) => `test/journeys/${name}.test.ts`)

/** Journeys kill processes in the middle of their work. Most of the time they wait, so four run at once. */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['test/support/built-server.ts', 'test/support/database.ts'],
    reporters,
    ...limits,
    ...loadedByNode,
    pool: 'forks',
    // A worker loads the source once instead of once for each file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'measured', include: measured, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: 'timed', include: timed, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...measured, ...timed],
          globalSetup: [
            'test/support/built-server.ts',
            'test/support/database.ts',
            'test/journeys/support/cluster.ts',
          ],
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
