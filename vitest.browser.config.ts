import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/order.ts'
import { limits, loadedByNode, reporters } from './vitest.config.ts'

/** Whether `npm run screenshots` runs, which saves every page, instead of `npm run test:browser`. */
const takesScreenshots = process.env.SENDWRIGHT_SCREENSHOTS === '1'

export default defineConfig({
  test: {
    environment: './test/support/worker-environment.ts',
    include: [takesScreenshots ? 'test/browser/screenshots.ts' : 'test/browser/**/*.browser.test.ts'],
    globalSetup: [
      'test/support/built-server.ts',
      'test/support/database.ts',
      'test/browser/support/setup.ts',
    ],
    reporters,
    ...limits,
    ...(takesScreenshots && { testTimeout: 600_000 }),
    ...loadedByNode,
    pool: 'forks',
    // Pages wait for their server and for what they draw, so two would leave a fifth of two processors.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // The files of a worker share its browser and its service, and load the source once.
    isolate: false,
  },
})
