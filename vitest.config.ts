import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'

/** The opt-in suites need programs that npm does not install (Postfix, opendkim), or much more time. */
const optIn = process.env.SENDWRIGHT_OPTIN === '1' ? [] : ['**/*.optin.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts'],
    // Browser tests and journeys have their own configuration: vitest.browser.config.ts, vitest.journeys.config.ts.
    exclude: ['**/node_modules/**', '**/*.browser.test.ts', 'test/journeys/**', ...optIn],
    globalSetup: ['test/support/database.ts'],
    // These limits end a test that hangs. A slow or busy machine must not reach them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // The suite is designed for two processors. A third worker uses the time in which test files wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
