import { describe, expect, test } from 'vitest'
import { parseHead, readHead } from './csv-head.ts'
import type { Encoding } from './decode-head.ts'

const whole = (text: string) => parseHead(text, true)

describe('the head of a CSV file', () => {
  test('quoted cells contain quotes, line breaks and delimiters', () => {
    expect(whole('email,"First, name",note\r\na@x.test,"Bob ""B""","1\n2"\r\n\r\nb@x.test,,\r\n')).toEqual({
      delimiter: 'comma',
      columns: ['email', 'First, name', 'note'],
      rows: [
        ['a@x.test', 'Bob "B"', '1\n2'],
        ['b@x.test', '', ''],
      ],
    })
  })

  test('column names of several lines are one header, with white space collapsed', () => {
    expect(whole('e-mail;"First,\r\n\r\n  name, or, none";"a"\r\nx@x.test;X;1\r\n')).toEqual({
      delimiter: 'semicolon',
      columns: ['e-mail', 'First, name, or, none', 'a'],
      rows: [['x@x.test', 'X', '1']],
    })
  })

  test.each([
    ['email;name;a,b', 'semicolon', ['email', 'name', 'a,b']],
    ['email\tname', 'tab', ['email', 'name']],
    ['"a;b;c;d",email', 'comma', ['a;b;c;d', 'email']],
    ['email', 'comma', ['email']],
  ])('the delimiter of %j is the most frequent one', (line, delimiter, columns) => {
    expect(whole(`${line}\n`)).toMatchObject({ delimiter, columns })
  })

  test('a chosen delimiter wins over the detected one', () => {
    expect(parseHead('a,b;c\n', true, 'semicolon').columns).toEqual(['a,b', 'c'])
  })

  test.each([
    ['sep=;\r\n', ';', 'semicolon'],
    ['\nSEP=|\n', '|', 'pipe'],
    ['"sep=\t"\r', '\t', 'tab'],
  ])('the line %j names the delimiter and is no row', (line, separator, delimiter) => {
    const head = whole(`${line}email${separator}"a,b;c,d;e"\nx@x.test${separator}1\n`)
    expect(head).toEqual({ delimiter, columns: ['email', 'a,b;c,d;e'], rows: [['x@x.test', '1']] })
  })

  test('a sep= line needs a known delimiter, and names after it', () => {
    expect(() => whole('sep=:\nemail:name\n')).toThrow('The sep= line must name')
    expect(() => whole('sep=;\n')).toThrow('no header row')
  })

  test('all rows of the part that was read are returned, and never an incomplete one', () => {
    const text = `email\n${Array.from({ length: 9 }, (_, index) => `${index}@x.test\n`).join('')}`
    expect(whole(text).rows).toHaveLength(9)
    expect(parseHead('email,name\na@x.test,A\nb@x.te', false).rows).toEqual([['a@x.test', 'A']])
  })

  test.each(['', '\n\r\n', 'PK\u0000\u0003'])('%j is rejected with a message', (text) => {
    expect(() => whole(text)).toThrow(/^(The file has no header row|This is not a text)/)
  })

  test('a file of any size is decoded as UTF-8, without its byte order mark', async () => {
    const rows = 'ä@x.test;Jörg\n'.repeat(20_000)
    const head = await readHead(new Blob(['\ufeffemail;name\n', rows]))
    expect(head.columns).toEqual(['email', 'name'])
    expect(head.rows[4]).toEqual(['ä@x.test', 'Jörg'])
  })
})

describe('the encoding of a CSV file', () => {
  const TEXT = 'email,name\na@x.test,Jörg\n'
  const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])
  const wide = Buffer.from(TEXT, 'utf16le')
  const marked = Buffer.from(`\ufeff${TEXT}`, 'utf16le')

  test.each<[string, Buffer, Encoding | undefined, Encoding, string]>([
    ['UTF-8', Buffer.from(TEXT), undefined, 'utf-8', 'default'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), 'macintosh', 'utf-8', 'marked'],
    ['UTF-16LE with a mark', marked, undefined, 'utf-16le', 'marked'],
    ['UTF-16BE with a mark', Buffer.from(marked).swap16(), undefined, 'utf-16be', 'marked'],
    ['UTF-16LE', wide, undefined, 'utf-16le', 'guessed'],
    ['UTF-16BE', Buffer.from(wide).swap16(), undefined, 'utf-16be', 'guessed'],
    ['Windows-1252', Buffer.from(TEXT, 'latin1'), undefined, 'windows-1252', 'guessed'],
    ['Windows-1252 by choice', Buffer.from(TEXT, 'latin1'), 'windows-1252', 'windows-1252', 'chosen'],
    ['Mac OS Roman', Buffer.from(TEXT.replace('ö', '\x9a'), 'latin1'), 'macintosh', 'macintosh', 'chosen'],
  ])('%s', async (_name, bytes, chosen, encoding, encodingBy) => {
    const head = await readHead(blob(bytes), { encoding: chosen })
    expect(head).toMatchObject({
      encoding,
      encodingBy,
      columns: ['email', 'name'],
      rows: [['a@x.test', 'Jörg']],
    })
  })

  test('that was chosen and does not fit is a fault', async () => {
    const head = await readHead(blob(Buffer.from(TEXT, 'latin1')), { encoding: 'utf-8' })
    expect(head).toMatchObject({ encoding: 'utf-8', encodingBy: 'chosen', columns: [], rows: [] })
    expect(head.fault).toContain('not valid in this encoding')
  })

  test('that the first bytes name and does not fit is a fault without a choice', async () => {
    const head = await readHead(blob(Buffer.from(`\xef\xbb\xbf${TEXT}`, 'latin1')), {
      encoding: 'windows-1252',
    })
    expect(head).toMatchObject({ encoding: 'utf-8', encodingBy: 'marked' })
    expect(head.fault).toContain('that its first bytes name')
  })

  test.each(['имя,email\nЙорг,a@x.test\n', '名字,email\n王,a@x.test\n', '"Āā",email\nĀ,a@x.test\n'])(
    'is guessed as UTF-16 by any ASCII characters in %j',
    async (text) => {
      const little = Buffer.from(text, 'utf16le')
      const heads = [await readHead(blob(little)), await readHead(blob(Buffer.from(little).swap16()))]
      expect(heads.map((head) => head.encoding)).toEqual(['utf-16le', 'utf-16be'])
      for (const { columns, fault } of heads) expect([columns[1], fault]).toEqual(['email', null])
    },
  )

  test('of a file that is not recognized as text can be chosen', async () => {
    const bytes = Buffer.from(`${'я'.repeat(600)}\tпочта\nЙорг\tйорг@пример.рф\n`, 'utf16le')
    const head = await readHead(blob(bytes))
    expect(head.columns).toEqual([])
    expect(head.fault).toMatch(/^This is not a text file/)
    const { columns, delimiter } = await readHead(blob(bytes), { encoding: 'utf-16le' })
    expect([columns, delimiter]).toEqual([['я'.repeat(600), 'почта'], 'tab'])
  })

  test.each(['PK\x03\x04\0', `a\0,b\n${'x,y\n'.repeat(9)}`, '\x89PNG\0\0\x01\0\0\x02\0\0'])(
    'does not make a text of %j',
    async (bytes) => {
      expect((await readHead(blob(Buffer.from(bytes, 'latin1')))).fault).toMatch(/^This is not a text file/)
    },
  )
})
