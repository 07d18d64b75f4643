import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { stopWithWorker } from '../../support/worker-stops.ts'
import { installChromium } from './chromium.ts'

const ARGS = [
  '--disable-gpu',
  '--font-render-hinting=none',
  // Pages live for seconds, in which optimized code costs more than it saves: a sixth of the processor time of the browser.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=16 --max-semi-space-size=32',
  // Only local names resolve, whatever a page requests.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

let shared: Promise<Browser> | null = null

/** Returns the browser of this worker. Tests use contexts of their own, which share nothing. */
export function useBrowser(): Promise<Browser> {
  shared ??= launchOwn()
  return shared
}

async function launchOwn(): Promise<Browser> {
  // A browser that is killed while it creates a file of shared memory leaves that file.
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const browser = await launchBrowser(folder)
  stopWithWorker(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return browser
}

/**
 * Starts a headless browser with the default security of the same-origin policy and site isolation, which are under
 * test. Its process sandbox is off, because containers do not allow it; it only opens pages of the tests.
 * @param folder for its temporary files
 */
export async function launchBrowser(folder = tmpdir()): Promise<Browser> {
  const { executablePath, env } = await installChromium()
  return chromium.launch({
    executablePath,
    env: { ...env, TMPDIR: folder },
    headless: true,
    chromiumSandbox: false,
    args: ARGS,
  })
}
