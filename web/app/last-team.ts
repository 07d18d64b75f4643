const NAME = 'sendwright-team'

/** Returns the id of the team that was last open in this browser; null when the browser has none stored. */
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
    // Without storage, `/app` opens the first team.
  }
}
