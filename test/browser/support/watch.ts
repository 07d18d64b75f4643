import type { BrowserContext, Request } from 'playwright-core'

export interface Watch {
  /** One line per complaint. */
  complaints: string[]
  allowed: RegExp[]
}

/** An error response of the API: pages show it, and the browser logs it as well. */
const API_ERROR = /^Failed to load resource: the server responded with a status of 4\d\d/

/**
 * Records everything that must not happen in a page: errors, blocked content, requests to other hosts.
 * @param watchOfNow where it is recorded: tests may use the context one after the other
 */
export function watchContext(context: BrowserContext, origin: string, watchOfNow: () => Watch): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || isApiError(message.text(), message.location().url)) return
    watchOfNow().complaints.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) =>
    watchOfNow().complaints.push(`error: ${error.error().stack ?? error.error().message}`),
  )
  const foreign = new Map<Request, string>()
  context.on('request', (request) => {
    if (isOurs(request.url(), origin)) return
    const complaint = `another host: ${request.url()}`
    foreign.set(request, complaint)
    watchOfNow().complaints.push(complaint)
  })
  context.on('requestfailed', (request) => {
    const complaint = foreign.get(request)
    // A request blocked by the policy was never sent; the console reports it.
    if (complaint === undefined || request.failure()?.errorText !== 'csp') return
    const { complaints } = watchOfNow()
    complaints.splice(complaints.indexOf(complaint), 1)
  })
  context.on('response', (response) => {
    if (response.status() >= 500)
      watchOfNow().complaints.push(`status ${response.status()}: ${response.url()}`)
  })
}

const isApiError = (text: string, url: string) => API_ERROR.test(text) && !url.includes('/assets/')

const isOurs = (url: string, origin: string) =>
  url.startsWith(`${origin}/`) || /^(data|blob|about):/.test(url)
