/** A comparison of a field, as a row of the editor. */
export interface RuleRow {
  field: string
  operator: string
  /** As typed: a number, true, false, a text, or a text in quotation marks. */
  value: string
}

export interface RuleRows {
  /** Whether all rows must hold, or any. */
  type: 'and' | 'or'
  rows: RuleRow[]
}

export const OPERATORS = [
  { value: 'eq', label: 'is' },
  { value: 'neq', label: 'is not' },
  { value: 'gt', label: 'is greater than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'contains', label: 'contains' },
  { value: 'starts_with', label: 'starts with' },
  { value: 'ends_with', label: 'ends with' },
  { value: 'exists', label: 'is set' },
  { value: 'is_empty', label: 'is not set' },
]

export const hasValue = (operator: string): boolean => operator !== 'exists' && operator !== 'is_empty'

/** These compare texts only. */
const OF_TEXT = ['contains', 'starts_with', 'ends_with']

type Fields = Readonly<Record<string, unknown>>

/** Returns the rows of a rule; null if it has a form that rows cannot show, such as a rule inside a rule. */
export function rowsOf(rule: unknown): RuleRows | null {
  const fields = (typeof rule === 'object' && rule !== null ? rule : {}) as Fields
  if (Object.keys(fields).length === 0) return { type: 'and', rows: [] }
  if (fields.type === 'rule') return { type: 'and', rows: [rowOf(fields)] }
  if ((fields.type !== 'and' && fields.type !== 'or') || !Array.isArray(fields.rules)) return null
  const rules = fields.rules as Fields[]
  return rules.every(({ type }) => type === 'rule') ? { type: fields.type, rows: rules.map(rowOf) } : null
}

function rowOf({ field = '', operator = 'eq', value }: Fields): RuleRow {
  return { field: String(field), operator: String(operator), value: showValue(value) }
}

/** A text that would be read as something else stands in quotation marks. */
export function showValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return readValue(value) === value ? value : JSON.stringify(value)
}

export function readValue(text: string): unknown {
  const trimmed = text.trim()
  if (/^(true|false|null|-?\d+(\.\d+)?|"(?:[^"\\]|\\.)*")$/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as unknown
    } catch {
      return text
    }
  }
  return text
}

/** Returns the rule of rows; undefined without rows. */
export function ruleOf({ type, rows }: RuleRows): object | undefined {
  const rules = rows.map(({ field, operator, value }) => ({
    type: 'rule',
    field,
    operator,
    ...(hasValue(operator) && { value: OF_TEXT.includes(operator) ? value : readValue(value) }),
  }))
  return rules.length < 2 ? rules[0] : { type, rules }
}
