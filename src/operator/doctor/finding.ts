/** `note`: worth knowing; `warning`: mail suffers; `problem`: mail fails. */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** What one look at one thing found, for people. */
export interface Finding {
  /** What was looked at, for example `ptr 192.0.2.10`. */
  check: string
  level: Level
  found: string
  /** What to do; null where nothing is to be done. */
  advice: string | null
}

export function ok(check: string, found: string): Finding {
  return { check, level: 'ok', found, advice: null }
}

export function note(check: string, found: string, advice: string | null = null): Finding {
  return { check, level: 'note', found, advice }
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, level: 'warning', found, advice }
}

export function problem(check: string, found: string, advice: string): Finding {
  return { check, level: 'problem', found, advice }
}

/** An error in one phrase. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message ?? 'unknown'
}
