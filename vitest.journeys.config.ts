import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Journeys test a promise each while they kill processes. They take minutes, mostly waiting. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/journeys/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 2,
  },
})
