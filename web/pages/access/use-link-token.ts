import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Returns the token behind the `#` of a link; null when there is none. The token is removed from the address at once,
 * so that it stays neither on the screen nor in the browser's history.
 */
export function useLinkToken(): string | null {
  const { history } = useRouter()
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'))
  useEffect(() => {
    if (window.location.hash !== '') history.replace(window.location.pathname)
  }, [history])
  return token
}
