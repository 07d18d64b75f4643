import { defineConfig } from 'vitest/config'

/** `npm run screenshots` looks at every page; `npm run test:browser` uses them. */
const isLooking = process.env.SENDWRIGHT_SCREENSHOTS === '1'

export default defineConfig({
  test: {
    environment: 'node',
    include: [isLooking ? 'test/browser/screenshots.ts' : 'test/browser/**/*.browser.test.ts'],
    globalSetup: ['test/support/database.ts', 'test/browser/support/setup.ts'],
    testTimeout: isLooking ? 600_000 : 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
