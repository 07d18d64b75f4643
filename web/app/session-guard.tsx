import { lazy, Suspense } from 'react'
import { sessionEnd } from '../api/ended-session.ts'
import { useSession } from '../api/session.ts'

const SessionEnded = lazy(async () => ({ default: (await import('./session-ended.tsx')).SessionEnded }))

/** Asks the user to log in again once the session has ended. Every page that requires a login has it. */
export function SessionGuard() {
  const { user } = useSession()
  const hasEnded = sessionEnd.use()
  return <Suspense>{hasEnded && <SessionEnded user={user} />}</Suspense>
}
