import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Returns the URL if it is one of a web page, else null. Servers choose what is opened, and the programs that open a page
 * would run a file.
 */
export function readWebPage(text: string): string | null {
  const page = URL.canParse(text) ? new URL(text) : null
  return page !== null && /^https?:$/.test(page.protocol) ? page.href : null
}

/** Opens a page in the person's browser. Resolves to false if it is no web page, or there is no program for that. */
export async function openBrowser(url: string): Promise<boolean> {
  const page = readWebPage(url)
  if (page === null) return false
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, page], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
