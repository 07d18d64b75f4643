/** A text of more digits is an id, and would lose some of them as a number. */
const DIGITS_MAX = 15
/** A leading zero or plus is part of a postcode or a telephone number. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** A day, or a time with or without an offset, as the server reads them. */
const DATE =
  /^([1-9]\d{3}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/

/**
 * Guesses the type of a property from all values of its column that were read. One value that fits no other type makes it
 * a string, because a row with such a value would be skipped.
 */
export function guessType(values: readonly string[]): 'string' | 'number' | 'date' {
  const texts = values.map((text) => text.trim()).filter((text) => text !== '')
  if (texts.length === 0) return 'string'
  if (texts.every(isNumber)) return 'number'
  return texts.every(isDate) ? 'date' : 'string'
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && text.replaceAll(/\D/g, '').length <= DIGITS_MAX
}

/** Days beyond the end of a month, which `Date` would move into the next one, are no dates. */
function isDate(text: string): boolean {
  const day = DATE.exec(text)?.[1]
  const date = new Date(day ?? '')
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day ?? '')
}
