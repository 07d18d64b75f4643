import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Promises, with processes killed in the middle: minutes, most of them spent waiting. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/journeys/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 2,
  },
})
