import { defineConfig } from 'vitest/config'
import { limits, native, reporters } from './vitest.config.ts'

/** These measure the processor time and the memory of a server: another server beside it would be measured too. */
const measured = ['held-loop', 'held-loop-large', 'memory-of-one-team', 'pipelined'].map(
  (name) => `test/journeys/${name}.test.ts`,
)

/** Journeys kill processes in the middle of their work. They take minutes, most of which they wait. */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['test/support/database.ts'],
    reporters,
    ...limits,
    ...native,
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: { name: 'measured', include: measured, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...measured],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
