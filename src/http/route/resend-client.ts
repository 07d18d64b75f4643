import type { Request } from './route.ts'

type Headers = Request<unknown, unknown, unknown>['headers']

const RESEND_CLIENT = /^resend-/

/** Returns whether a request is of one of Resend's SDKs, which expect some words and paths of Resend that mean something else here. */
export function isResendClient(headers: Headers): boolean {
  const userAgent = headers['user-agent']
  return typeof userAgent === 'string' && RESEND_CLIENT.test(userAgent)
}
