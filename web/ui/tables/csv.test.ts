import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeCsvLine } from '../../../src/lib/text/csv.ts'
import { csvLine } from './csv.ts'

test('fields with commas, quotes or line breaks are quoted; null is empty', () => {
  expect(csvLine(['a', 'b, c', 'say "hi"', 'two\nlines', 5, true, null])).toBe(
    'a,"b, c","say ""hi""","two\nlines",5,true,\r\n',
  )
})

test('a text that a spreadsheet would run as a formula begins with an apostrophe', () => {
  expect(csvLine(['=1+1', '+49', '-2', '@x', 'a=b', -2])).toBe("'=1+1,'+49,'-2,'@x,a=b,-2\r\n")
})

test('any line equals that of the API', () => {
  const unit = fc.constantFrom(...`'";,=+-@\t\r\n\v\f\u0085\u2028\u2029＝a1 `, '\r\n')
  const value = fc.oneof(fc.string({ unit, maxLength: 10 }), fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.array(value), (values) => csvLine(values) === writeCsvLine(values)),
    { numRuns: 2_000 },
  )
})
