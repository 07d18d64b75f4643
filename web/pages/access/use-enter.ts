import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type Session, sessionQuery } from '../../api/session.ts'
import { leadTo } from './next.ts'

/** Returns a function that completes a login. It clears the cached data of any previous user. */
export function useEnter(next?: string): (session: Session) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  return (session) => {
    client.clear()
    client.setQueryData(sessionQuery.queryKey, session)
    void router.invalidate().then(() => navigate({ ...leadTo(next), replace: true } as never))
  }
}
