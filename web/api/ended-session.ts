import { createFlag } from './flag.ts'

/** Whether the session of this page ended: its cookie expired, or it was ended in another place. */
export const sessionEnd = createFlag()

const LOGOUTS = 'sendwright-logouts'

/** Tells the other tabs of this browser that the user logs out. */
export function announceLogout(): void {
  const channel = new BroadcastChannel(LOGOUTS)
  channel.postMessage('')
  channel.close()
}

/** Calls `onLogout` when the user logs out in another tab. */
export function watchLogouts(onLogout: () => void): void {
  new BroadcastChannel(LOGOUTS).onmessage = onLogout
}
