const NAME = 'sendwright-team'

/** The team that was looked at last in this browser; null where it cannot be remembered. */
export function lastTeam(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

export function rememberTeam(id: string): void {
  try {
    localStorage.setItem(NAME, id)
  } catch {
    // A browser that keeps nothing begins with the first team.
  }
}
