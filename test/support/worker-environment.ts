import type { Environment } from 'vitest/runtime'
import { stopAll } from './worker-stops.ts'

/** The environment of a worker's files: when the worker ends, it stops what they shared. */
export default {
  name: 'worker',
  viteEnvironment: 'ssr',
  setup: () => ({ teardown: stopAll }),
} satisfies Environment
