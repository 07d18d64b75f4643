import type { LoginChallenge } from '../../api/account-records.ts'

const METHODS = ['totp', 'passkey', 'recovery_code'] as const

/**
 * Returns the second step of a login that came back from the OpenID provider (`#challenge=...&methods=...`), or null.
 * Removes it from the address.
 */
export function takeSsoChallenge(): LoginChallenge | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1))
  const id = fragment.get('challenge')
  if (id === null) return null
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  const given = (fragment.get('methods') ?? '').split(',')
  const methods = METHODS.filter((method) => given.includes(method))
  return { object: 'login_challenge', challenge_id: id, methods: [...methods], expires_at: '' }
}
