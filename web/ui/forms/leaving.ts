/** Asks the user. Resolves to whether the unsaved changes may be lost. */
type LeaveQuestion = () => Promise<boolean>

let question: LeaveQuestion | null = null

/** Sets the question of the page; null while nothing is unsaved. */
export function setLeaveQuestion(next: LeaveQuestion | null): void {
  question = next
}

/**
 * Asks about the unsaved changes of the page, if there are any. Resolves to whether they may be lost. The router asks only when
 * the address changes, which is too late for a logout: without a session, nothing can be saved.
 */
export const mayLeave = async (): Promise<boolean> => question === null || question()
