const PREFIX = 'sendwright-draft '
const AGE_MAX_MS = 24 * 3_600_000

/** Work that is not saved. It is kept in this browser, under the id of its user. */
export interface KeptDraft<T> {
  keptAt: number
  draft: T
  /** Names the state that the user began to change. */
  base?: string
}

const nameOf = (userId: string, id: string) => `${PREFIX}${userId} ${id}`

/** The user who has logged out, in this window or another one. Others may use the browser next, so nothing more is kept. */
let loggedOutId: string | null = null

export function keepDraft<T>(userId: string, id: string, draft: T, base: string): void {
  if (userId === loggedOutId) return
  const entry: KeptDraft<T> = { keptAt: Date.now(), draft, base }
  try {
    localStorage.setItem(nameOf(userId, id), JSON.stringify(entry))
  } catch {
    // Storage is full or denied. The editor still asks before its window closes.
  }
}

/** Returns what this user has not saved; null without it, or when it is older than a day. */
export function readKeptDraft<T>(userId: string, id: string): KeptDraft<T> | null {
  return readKept<T>(nameOf(userId, id))
}

export function forgetDraft(userId: string, id: string): void {
  forget((name) => name === nameOf(userId, id))
}

/** Forgets all drafts of a user who logs out. A page that is still open keeps none again, unless `keepDraftsOf` is called. */
export function forgetDraftsOf(userId: string): void {
  loggedOutId = userId
  forget((name) => name.startsWith(`${PREFIX}${userId} `))
}

/** Keeps the drafts of a user who has logged in again over the page. */
export function keepDraftsOf(userId: string): void {
  if (userId === loggedOutId) loggedOutId = null
}

/** Forgets the drafts of all users that are older than a day. */
export function forgetOldDrafts(): void {
  forget((name) => readKept(name) === null)
}

function forget(isGone: (name: string) => boolean): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
    for (const name of names) if (isGone(name)) localStorage.removeItem(name)
  } catch {
    // Without storage, nothing is kept.
  }
}

function readKept<T>(name: string): KeptDraft<T> | null {
  try {
    const entry = JSON.parse(localStorage.getItem(name) ?? 'null') as KeptDraft<T> | null
    return entry !== null && Date.now() - entry.keptAt < AGE_MAX_MS ? entry : null
  } catch {
    return null
  }
}
