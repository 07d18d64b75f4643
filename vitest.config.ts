import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'

/** Suites that need more than npm gives (Postfix, opendkim) or more time than a test run has. */
const optIn = process.env.SENDWRIGHT_OPTIN === '1' ? [] : ['**/*.optin.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'web/**/*.test.ts'],
    // The dashboard's tests need a browser (vitest.browser.config.ts), journeys need minutes (vitest.journeys.config.ts).
    exclude: ['**/node_modules/**', '**/*.browser.test.ts', 'test/journeys/**', ...optIn],
    globalSetup: ['test/support/database.ts'],
    // These limits end what hangs. A machine that is slow, or busy with something else, must not reach them.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // One more than the two processors that the suite is made for: some files mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
})
