import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installChromium } from './chromium.ts'
import { waitForWorkers } from './worker-stops.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Less than `teardownTimeout` in vitest.browser.config.ts. */
const STOP_LIMIT_MS = 60_000

/**
 * Vitest's global setup: builds the dashboard, and unpacks a browser. Its teardown waits until every worker has stopped its
 * browser and its service.
 */
export async function setup(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'web/build.ts')], { cwd: ROOT })
  await installChromium()
  return () => waitForWorkers(STOP_LIMIT_MS)
}
