import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'

/** The opt-in suites need programs that npm does not install (Postfix, opendkim), or much more time. */
const optIn = process.env.SENDWRIGHT_OPTIN === '1' ? [] : ['**/*.optin.test.ts']
/** Browser tests and journeys have their own configuration: vitest.browser.config.ts, vitest.journeys.config.ts. */
const elsewhere = ['**/node_modules/**', '**/*.browser.test.ts', 'test/journeys/**', ...optIn]
/** Tests that start processes of their own, or the assembled service. */
const whole = ['src/cli/**/*.test.ts', 'src/db/embedded/**/*.test.ts', 'test/**/*.test.ts']

export const limits = {
  // These limits end a test that hangs. A slow or busy machine must not reach them.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['test/support/database.ts'],
    ...limits,
    pool: 'forks',
    // The suite is designed for two processors. The other workers use the time in which test files wait.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: [...elsewhere, ...whole],
          // A worker loads the source once instead of once a file. Modules keep no state that a test could notice; a support
          // module cleans up when a test finishes (onTestFinished), because its own hooks would serve the first file only.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'whole', include: whole, exclude: elsewhere } },
    ],
  },
})
