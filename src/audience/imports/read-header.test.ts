import { describe, expect, test } from 'vitest'
import { readHeaderLine } from './read-header.ts'

const read = (text: string | Buffer, delimiter: string | null = null) =>
  readHeaderLine(Buffer.from(text), true, delimiter)

describe('the sep= line of Excel', () => {
  test.each([
    ['sep=;\r\n', ';'],
    ['sep=,\n', ','],
    ['sep=\t\r', '\t'],
    ['sep=|\r\n', '|'],
    ['SEP=; \r\n', ';'],
    ['"sep=;"\r\n', ';'],
    ['\r\nsep=;\r\n\r\n', ';'],
  ])('%j names the delimiter and is no row, with and without a byte order mark', (line, delimiter) => {
    // Another character is more frequent in the names.
    const names = `email${delimiter}"a,b;c|d\te,f;g|h\ti"`
    for (const mark of ['', '\ufeff']) {
      const before = `${mark}${line}${names}\r\n`
      expect(read(`${before}x@x.test${delimiter}1\r\n`)).toEqual({
        delimiter,
        columns: ['email', 'a,b;c|d e,f;g|h i'],
        position: Buffer.byteLength(before),
        line: before.split(/\r\n|\r|\n/).length,
      })
    }
  })

  test('gives way to the delimiter of the request, and is still no row', () => {
    expect(read('sep=;\nemail,a;b\n', ',')).toMatchObject({ columns: ['email', 'a;b'], line: 3 })
  })

  test('is found however the bytes arrive', () => {
    const bytes = Buffer.from('\ufeffsep=;\r\nemail;name\r\nx')
    const complete = bytes.length - 1
    for (let length = 0; length <= bytes.length; length++) {
      const header = readHeaderLine(bytes.subarray(0, length), false, null)
      expect(header?.columns).toEqual(length < complete ? undefined : ['email', 'name'])
    }
  })

  test.each([['sep=:'], ['sep='], ['sep=a']])('%s is refused with the delimiters that are known', (line) => {
    expect(() => read(`${line}\nemail\n`)).toThrow('must name a comma, a semicolon, a tab or a pipe')
  })

  test('alone is a file without column names', () => {
    expect(() => read('sep=;\r\n')).toThrow('The file has no line that names its columns.')
  })

  test('is a column name if a longer text follows', () => {
    expect(read('sep=;;\n')?.columns).toEqual(['sep=', '', ''])
  })
})

describe('column names of several lines', () => {
  const file = 'email;"First\r\n name ";"say ""hi""\n\n;now"\r\nx@x.test;X;y\r\n'

  test('are one header, with white space collapsed and the lines of the file counted', () => {
    expect(read(file)).toEqual({
      delimiter: ';',
      columns: ['email', 'First name', 'say "hi" ;now'],
      position: file.indexOf('x@'),
      line: 5,
    })
  })

  test('are found however the bytes arrive', () => {
    const bytes = Buffer.from(file)
    for (let length = 0; length <= bytes.length; length++) {
      const header = readHeaderLine(bytes.subarray(0, length), false, null)
      expect(header?.line, String(length)).toBe(length <= file.indexOf('x@') - 1 ? undefined : 5)
    }
  })

  test('end with the file, or at the limit', () => {
    expect(read('"email\naddress"')).toMatchObject({ columns: ['email address'], line: 3 })
    expect(() => read(`"email\n${'x@x.test\n'.repeat(10_000)}`)).toThrow('a quote in it is not closed')
  })
})

test('2,000 columns are read, and one more is refused', () => {
  const names = (count: number) => `${Array.from({ length: count }, (_, index) => `c${index}`).join(',')}\n`
  expect(read(names(2000))?.columns).toHaveLength(2000)
  expect(() => read(names(2001))).toThrow('The first line names more than 2000 columns.')
})
