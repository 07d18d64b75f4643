import { isSessionEnd } from './errors.ts'
import { createFlag } from './flag.ts'
import { forgetDraftsOf } from './kept-drafts.ts'
import { sendRequest } from './request.ts'

/** Whether the session of this page ended: its cookie expired, or it was ended in another place. */
export const sessionEnd = createFlag()

/**
 * Lets the user log in again over the page (app/session-ended.tsx), so that what they are writing is not lost.
 * @returns whether the error means that the session ended
 */
export function noticeSessionEnd(error: unknown): boolean {
  const isEnd = isSessionEnd(error)
  if (isEnd) sessionEnd.set(true)
  return isEnd
}

/** One channel for both directions, because a tab does not hear itself on it. */
const logouts = new BroadcastChannel('sendwright-logouts')

/** Ends the session of this browser, unless it has already ended, and tells the other tabs. */
export async function endThisSession(userId: string): Promise<void> {
  await sendRequest('/session', { method: 'DELETE', teamId: null }).catch((error: unknown) => {
    if (!isSessionEnd(error)) throw error
  })
  forgetDraftsOf(userId)
  logouts.postMessage('')
}

/** Calls `onLogout` when the user logs out in another tab. */
export function watchLogouts(onLogout: () => void): void {
  logouts.onmessage = onLogout
}

let isLeft = false

/** Loads a new page, so that no data of the session stays in memory. Nothing holds the page: others may use the computer. */
export function leaveFor(path: string): void {
  isLeft = true
  window.location.replace(path)
}

/** Whether the page may close without a question: nothing on it can be saved, so that would only delay the next login. */
export const isWithoutSession = () => isLeft || sessionEnd.isSet()
