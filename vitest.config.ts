import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'

/** The opt-in suites need programs that npm does not install (Postfix, opendkim), or much more time. */
const optIn = process.env.SENDWRIGHT_OPTIN === '1' ? [] : ['**/*.optin.test.ts']
/** Browser tests and journeys have their own configuration: vitest.browser.config.ts, vitest.journeys.config.ts. */
const elsewhere = ['**/node_modules/**', '**/*.browser.test.ts', 'test/journeys/**', ...optIn]
/** Tests of code that keeps no state: they may share a loaded source. Files with a database or future ids may not. */
const stateless = [
  'web/**/*.test.ts',
  'src/{classification,config,mime}/**/*.test.ts',
  'src/lib/{crypto,dns,net,text}/**/*.test.ts',
  'src/http/json/**/*.test.ts',
  'src/inbound/dsn/**/*.test.ts',
]

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
          name: 'stateless',
          include: stateless,
          exclude: elsewhere,
          // A worker loads the source once instead of once a file. Not for other tests: ids, for example, never go back to an
          // earlier time within one process, and some tests hand in clocks of the future.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: [
            '{src,test,bench,ops,site}/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'clients/test/**/*.test.ts',
          ],
          exclude: [...elsewhere, ...stateless],
        },
      },
    ],
  },
})
