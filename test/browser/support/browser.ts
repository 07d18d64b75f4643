import { type Browser, chromium } from 'playwright-core'
import { installChromium } from './chromium.ts'

const ARGS = [
  '--disable-gpu',
  '--font-render-hinting=none',
  // Only local names resolve, whatever a page requests.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

/**
 * Starts a headless browser with the default security of the same-origin policy and site isolation, which are under
 * test. Its process sandbox is off, because containers do not allow it; it only opens pages of the tests.
 */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await installChromium()
  return chromium.launch({ executablePath, env, headless: true, chromiumSandbox: false, args: ARGS })
}
