/** A resource of the process (such as bytes of memory) that teams share. */
export interface FairBudget {
  /** Takes an amount for a team. Returns false, and takes nothing, if there is no room. */
  take(teamId: string, amount: number): boolean
  giveBack(teamId: string, amount: number): void
}

/**
 * Creates a budget. A team may hold as much as the others leave free: the first gets half of all, the next half of the
 * rest, and so on, so that later teams find room. A team's first amount only has to fit.
 */
export function createFairBudget(amountMax: number): FairBudget {
  const heldByTeam = new Map<string, number>()
  let heldInAll = 0

  function hold(teamId: string, amount: number): void {
    heldInAll += amount
    const held = (heldByTeam.get(teamId) ?? 0) + amount
    if (held === 0) heldByTeam.delete(teamId)
    else heldByTeam.set(teamId, held)
  }

  function hasRoom(teamId: string, amount: number): boolean {
    const free = amountMax - heldInAll
    const held = heldByTeam.get(teamId) ?? 0
    if (held === 0) return amount <= free
    return held + amount <= (free + held) / 2
  }

  return {
    take(teamId, amount) {
      if (!hasRoom(teamId, amount)) return false
      hold(teamId, amount)
      return true
    },
    giveBack: (teamId, amount) => hold(teamId, -amount),
  }
}
