import { getPriority } from 'node:os'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import { AbsentPrograms } from './test/support/absent-programs.ts'
import { citusUrl, NOT_ON_CITUS } from './test/support/citus.ts'
import { LongestFirst } from './test/support/order.ts'

/** The opt-in suites need programs that npm does not install (Postfix, opendkim), or much more time. */
const optIn = process.env.SENDWRIGHT_OPTIN === '1' ? [] : ['**/*.optin.test.ts']
/** Browser tests and journeys have their own configuration: vitest.browser.config.ts, vitest.journeys.config.ts. */
const elsewhere = [
  '**/node_modules/**',
  '**/*.browser.test.ts',
  'test/journeys/**',
  ...optIn,
  ...(citusUrl === undefined ? [] : Object.keys(NOT_ON_CITUS).filter((name) => name.endsWith('.ts'))),
]

/** Under `nice`, tests get what other work leaves of the processors: beside another run of all tests, a tenth. */
const isNiced = getPriority() > 0
const patience = isNiced ? 5 : 1

export const limits = {
  // These limits end a test that hangs. A slow or busy machine must not reach them.
  testTimeout: patience * 180_000,
  hookTimeout: patience * 180_000,
  // Workers stop what their files shared (test/support/worker-stops.ts).
  teardownTimeout: patience * 90_000,
  expect: { poll: { timeout: patience * 60_000 } },
}

/** SENDWRIGHT_TEST_REPORT names a file for the results as JSON (bin/check.mjs). */
const { SENDWRIGHT_TEST_REPORT: outputFile } = process.env
export const reporters: NonNullable<TestUserConfig['reporters']> = [
  'default',
  new AbsentPrograms(),
  ...(outputFile === undefined ? [] : [['json', { outputFile }] as ['json', object]]),
]

/** Node.js loads the sources as it does in the product, in half the time that Vite takes to transform them. */
export const loadedByNode = { experimental: { viteModuleRunner: false, nodeLoader: false } }

export default defineConfig({
  test: {
    environment: './test/support/worker-environment.ts',
    globalSetup: ['test/support/built-server.ts', 'test/support/database.ts'],
    reporters,
    ...limits,
    ...loadedByNode,
    pool: 'forks',
    // The suite is designed for two processors. The other workers use the time in which test files wait.
    // Under `nice`, five would leave each server too little to answer within the times that the product promises.
    maxWorkers: isNiced ? 2 : 5,
    sequence: { sequencer: LongestFirst },
    // A worker loads the source once instead of once for each file, which saves a third of the processor time. So modules
    // keep nothing that one test could leave for the next, except services that files share (shared-sendwright.ts).
    isolate: false,
    setupFiles: ['test/support/rsa-pairs.ts', 'test/support/ids-of-today.ts', 'test/support/citus-skips.ts'],
    include: [
      '{src,test,bench,ops,site,web}/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'clients/test/**/*.test.ts',
    ],
    exclude: elsewhere,
  },
})
