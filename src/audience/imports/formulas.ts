/**
 * What a spreadsheet takes for the beginning of a formula, full-width forms included, behind any number of apostrophes
 * (OWASP, CSV Injection).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const NEUTRAL_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/** A cell that no spreadsheet runs: an apostrophe in front says that what follows is text. */
export function neutralizeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Undoes `neutralizeFormula`: what was exported comes back as it was. */
export function restoreFormula(text: string): string {
  return NEUTRAL_FORMULA.test(text) ? text.slice(1) : text
}
