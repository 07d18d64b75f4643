/** `note`: information; `warning`: delivery is impaired; `problem`: mail fails. */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** The result of one check, for people. */
export interface Finding {
  /** The subject of the check, for example `ptr 192.0.2.10`. */
  check: string
  level: Level
  found: string
  /** The recommended action; null when none is needed. */
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

/** Returns an error's code, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message ?? 'unknown'
}
