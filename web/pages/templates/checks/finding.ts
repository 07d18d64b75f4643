/** A possible problem for readers or mail clients. */
export interface Finding {
  /** error: it does not work; warning: it does not work for some readers; hint: it could be better. */
  severity: 'error' | 'warning' | 'hint'
  part: 'subject' | 'html' | 'text' | 'variables'
  /** Line in the part, starting at 1; null for the whole part. */
  line: number | null
  message: string
}
