/**
 * The beginnings that a spreadsheet takes for a formula, including full-width forms, after any number of apostrophes
 * (OWASP, CSV Injection).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const NEUTRAL_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Makes a cell that no spreadsheet runs: a leading apostrophe marks the rest as text. */
export function neutralizeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Undoes `neutralizeFormula`, so that an import restores exported text. */
export function restoreFormula(text: string): string {
  return NEUTRAL_FORMULA.test(text) ? text.slice(1) : text
}
