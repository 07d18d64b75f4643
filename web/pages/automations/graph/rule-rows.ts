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
  const rules = fields.rules as (Fields | null)[]
  const rows = rules.flatMap((each) => (each?.type === 'rule' ? [rowOf(each)] : []))
  return rows.length === rules.length ? { type: fields.type, rows } : null
}

function rowOf({ field = '', operator = 'eq', value }: Fields): RuleRow {
  const isText = OF_TEXT.includes(String(operator)) && typeof value === 'string'
  return { field: String(field), operator: String(operator), value: isText ? value : showValue(value) }
}

/** Returns the rows as they were typed, such as `1.0`, while they stand for the rule; otherwise those of the rule. */
export function shownRows(typed: RuleRows | null, rule: unknown): RuleRows | null {
  const isTyped = typed !== null && JSON.stringify(ruleOf(typed)) === JSON.stringify(rule)
  return isTyped ? typed : rowsOf(rule)
}

/** Returns a row with another operator. Quotation marks that kept a text from being read as a number go if it compares texts. */
export function withOperator(row: RuleRow, operator: string): RuleRow {
  const value = OF_TEXT.includes(row.operator) ? row.value : readValue(row.value)
  const isText = OF_TEXT.includes(operator) && typeof value === 'string'
  return { ...row, operator, value: isText ? value : row.value }
}

/** A text that would be read as something else stands in quotation marks. */
export function showValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return readValue(value) === value ? value : JSON.stringify(value)
}

export function readValue(text: string): unknown {
  const trimmed = text.trim()
  if (/^(true|false|null|-?\d+(\.\d+)?(e[+-]?\d+)?|"(?:[^"\\]|\\.)*")$/.test(trimmed)) {
    try {
      const value: unknown = JSON.parse(trimmed)
      return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? text : value
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
