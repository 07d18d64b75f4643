import { type Browser, chromium } from 'playwright-core'
import { installChromium } from './chromium.ts'

const ARGS = [
  '--disable-gpu',
  '--font-render-hinting=none',
  // Whatever a page tries, no name but our own leads anywhere.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

/**
 * A browser without a window, as people have it: the same-origin policy and the isolation of sites are what is tested.
 * Its sandbox against the machine is off, for containers allow none; it shows pages of our own alone.
 */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await installChromium()
  return chromium.launch({ executablePath, env, headless: true, chromiumSandbox: false, args: ARGS })
}
