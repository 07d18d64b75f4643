/** `note`: information; `warning`: delivery is impaired; `problem`: mail fails. */
export type Level = 'ok' | 'note' | 'warning' | 'problem'

/** A DNS record to publish. For a PTR record, `name` is the address. */
export interface AdvisedRecord {
  type: 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR'
  name: string
  value: string
}

/** The result of one check, for people. */
export interface Finding {
  /** The subject of the check, for example `ptr 192.0.2.10`. */
  check: string
  level: Level
  found: string
  /** The recommended action; null when none is needed. */
  advice: string | null
  /** The record that corrects the finding, if it is known in full. */
  record?: AdvisedRecord
}

export function ok(check: string, found: string): Finding {
  return { check, level: 'ok', found, advice: null }
}

export function note(
  check: string,
  found: string,
  advice: string | null = null,
  record?: AdvisedRecord,
): Finding {
  return { check, level: 'note', found, advice, ...(record === undefined ? {} : { record }) }
}

export function warning(check: string, found: string, advice: string, record?: AdvisedRecord): Finding {
  return { check, level: 'warning', found, advice, ...(record === undefined ? {} : { record }) }
}

export function problem(check: string, found: string, advice: string, record?: AdvisedRecord): Finding {
  return { check, level: 'problem', found, advice, ...(record === undefined ? {} : { record }) }
}

/** Returns an error's code, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message ?? 'unknown'
}
