import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('fields with commas, quotes or line breaks are quoted; null is empty', () => {
  expect(csvLine(['a', 'b, c', 'say "hi"', 'two\nlines', 5, true, null])).toBe(
    'a,"b, c","say ""hi""","two\nlines",5,true,\r\n',
  )
})

test('a text that a spreadsheet would run as a formula begins with an apostrophe', () => {
  expect(csvLine(['=1+1', '+49', '-2', '@x', 'a=b', -2])).toBe("'=1+1,'+49,'-2,'@x,a=b,-2\r\n")
})
