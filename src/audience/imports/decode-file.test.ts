import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeFile, type FileEncoding } from './decode-file.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function decode(bytes: Buffer, wanted: FileEncoding | null = null, size = 1_000_000): Promise<string> {
  return (await decodeBytes(bytes, wanted, size)).toString('utf8')
}

async function decodeBytes(bytes: Buffer, wanted: FileEncoding | null, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of decodeFile(inChunks(bytes, size), wanted)) parts.push(part)
  return Buffer.concat(parts)
}

const TEXT = 'email;name\r\nann@x.test;Jörg – 50 €\r\nbob@x.test;😀 𝔅\n'
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const SIZES = [1, 2, 3, 5, 1_000]

test.each<[string, Buffer, FileEncoding | null]>([
  ['UTF-8', Buffer.from(TEXT), null],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), null],
  ['UTF-8 with a mark that wins over the request', Buffer.from(`\ufeff${TEXT}`), 'windows-1252'],
  ['UTF-16LE by its mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), null],
  ['UTF-16BE by its mark', utf16be(`\ufeff${TEXT}`), 'utf-8'],
  ['UTF-16LE by choice', Buffer.from(TEXT, 'utf16le'), 'utf-16le'],
  ['UTF-16BE by choice', utf16be(TEXT), 'utf-16be'],
])('%s, however the bytes are cut', async (_name, bytes, wanted) => {
  for (const size of SIZES) {
    expect((await decode(bytes, wanted, size)).replace('\ufeff', '')).toBe(TEXT)
  }
})

test('Windows-1252 and Mac OS Roman by choice, with the characters that ISO-8859-1 does not have', async () => {
  // The euro sign, curly quotes, a dash, and letters.
  const windows = Buffer.from([0x80, 0x93, 0x94, 0x96, 0x8a, 0xe4, 0xdf, 0x41])
  const mac = Buffer.from([0xdb, 0xd2, 0xd3, 0xd0, 0x8a, 0xa7, 0x41])
  for (const size of SIZES) {
    expect(await decode(windows, 'windows-1252', size)).toBe('€“”–ŠäßA')
    expect(await decode(mac, 'macintosh', size)).toBe('€“”–äßA')
  }
})

test('empty and short files', async () => {
  expect(await decode(Buffer.alloc(0))).toBe('')
  expect(await decode(Buffer.from('é'))).toBe('é')
  expect(await decode(Buffer.from('\ufeff', 'utf16le'))).toBe('\ufeff')
})

const ADVICE = 'Save it as UTF-8, or set encoding to the one it has, for example windows-1252.'

test.each<[string, Buffer, FileEncoding | null, string]>([
  [
    'a byte of Windows-1252 in the third line',
    Buffer.from('email\r\na@x.test\rJ\xf6rg\n', 'latin1'),
    null,
    `The file is not valid UTF-8 at line 3 (byte offset 17). ${ADVICE}`,
  ],
  [
    'half a character at the end',
    Buffer.from('email\né').subarray(0, -1),
    null,
    `The file is not valid UTF-8 at line 2 (byte offset 6). ${ADVICE}`,
  ],
  [
    'a byte of Windows-1252 after a mark, which nobody can override',
    Buffer.from('\xef\xbb\xbfemail\n\xf6\n', 'latin1'),
    'windows-1252',
    'The file is not valid UTF-8 at line 2 (byte offset 9). Save it as UTF-8.',
  ],
  [
    'half of a surrogate pair',
    Buffer.from('\ufeffemail\n\ud800x', 'utf16le'),
    null,
    'The file is not valid UTF-16LE at line 2 (byte offset 14). Save it as UTF-8.',
  ],
  [
    'an odd number of bytes',
    Buffer.concat([utf16be('email\n'), Buffer.from('x')]),
    'utf-16be',
    `The file is not valid UTF-16BE at line 2 (byte offset 12). ${ADVICE}`,
  ],
])('422 for %s, with its place, however the bytes are cut', async (_name, bytes, wanted, message) => {
  for (const size of SIZES) {
    await expect(decode(bytes, wanted, size)).rejects.toMatchObject({ errors: { encoding: [message] } })
  }
})

test('the same verdict as Node on any bytes, and the place of the first invalid sequence', async () => {
  const byte = fc.oneof(
    fc.constantFrom(0x41, 0x0a, 0x0d, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4),
    fc.nat(255),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(byte, { maxLength: 24 }),
      fc.integer({ min: 1, max: 8 }),
      async (given, size) => {
        const bytes = Buffer.from([0x41, 0x42, 0x43, ...given])
        const outcome = await decodeBytes(bytes, null, size).catch((error: Error) => error.message)
        if (isUtf8(bytes)) {
          expect(outcome).toEqual(bytes)
          return
        }
        const [, line, offset] = /line (\d+) \(byte offset (\d+)\)/.exec(
          String(outcome),
        ) as unknown as string[]
        const before = bytes.subarray(0, Number(offset))
        expect(isUtf8(before)).toBe(true)
        expect(Number(line)).toBe(before.toString('utf8').split(/\r\n|\r|\n/).length)
        // No further character begins at the place.
        for (let length = 1; length <= 4; length++) {
          const next = bytes.subarray(Number(offset), Number(offset) + length)
          expect(next.length === length && isUtf8(next) && [...next.toString('utf8')].length === 1).toBe(
            false,
          )
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
