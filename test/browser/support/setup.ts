import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installChromium } from './chromium.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Vitest's global setup: builds the dashboard, and unpacks a browser. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'web/build.ts')], { cwd: ROOT })
  await installChromium()
}
