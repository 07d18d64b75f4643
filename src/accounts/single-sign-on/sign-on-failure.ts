import { escapeControls } from '../../lib/text/foreign-text.ts'

/** The reason of a failed login, as the login page gets it. */
export type SignOnProblem =
  | 'sso_expired'
  | 'sso_limited'
  | 'sso_denied'
  | 'sso_unavailable'
  | 'sso_failed'
  | 'sso_no_address'
  | 'sso_no_access'
  | 'sso_taken'

/** Single sign-on failed. The message is for the operator's log. */
export class SignOnFailure extends Error {
  readonly problem: SignOnProblem

  constructor(problem: SignOnProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'SignOnFailure'
    this.problem = problem
  }
}

const REASON_CHARS_MAX = 500

/** Returns the reason for the operator's log, with those of its causes. A part of it comes from the provider. */
export function signOnReasonOf(failure: SignOnFailure): string {
  const reasons: string[] = []
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    const { error: code } = error as { error?: unknown }
    reasons.push(typeof code === 'string' ? `${error.message} (${code})` : error.message)
  }
  return escapeControls(reasons.join(': ').slice(0, REASON_CHARS_MAX))
}
