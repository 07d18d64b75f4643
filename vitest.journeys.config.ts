import { defineConfig } from 'vitest/config'
import { limits } from './vitest.config.ts'

/** Journeys test a promise each while they kill processes. They take minutes, mostly waiting. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/journeys/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/support/database.ts'],
    ...limits,
    pool: 'forks',
    maxWorkers: 2,
  },
})
