import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * What the link of a mail or of the first start carries behind its `#`. It is taken out of the address at once: it must
 * stay neither on the screen nor in the browser's history. Null: there is none.
 */
export function useLinkToken(): string | null {
  const { history } = useRouter()
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'))
  useEffect(() => {
    if (window.location.hash !== '') history.replace(window.location.pathname)
  }, [history])
  return token
}
