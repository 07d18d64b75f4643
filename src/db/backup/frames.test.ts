import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { BadBackup, FrameWriter, readFrames } from './frames.ts'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function write(data: readonly Buffer[]): Promise<Buffer> {
  const writer = new FrameWriter()
  const frames = [writer.json('H', { format: 1 }), writer.json('T', { table: 'x' })]
  const pieces = async function* () {
    yield* data
  }
  for await (const frame of writer.data(pieces())) frames.push(frame)
  return Buffer.concat([...frames, writer.json('E', { rows: 1 }), writer.end()])
}

async function read(bytes: Buffer, size = 1000): Promise<Buffer> {
  const data: Buffer[] = []
  for await (const { type, payload } of readFrames(inPieces(bytes, size)))
    if (type === 'D') data.push(payload)
  return Buffer.concat(data)
}

test('frames are read as written, however the bytes are split', async () => {
  // Single bytes of a few frames take as many steps as some kilobytes of many.
  for (const [lengths, sizes] of [
    [
      [200_000, 70_000],
      [4_099, 65_536, 1_000_000],
    ],
    [
      [200, 70],
      [1, 7],
    ],
  ] as const) {
    const [first, second] = lengths.map((length) => randomBytes(length)) as [Buffer, Buffer]
    const data = [Buffer.from('a'), first, Buffer.alloc(0), second, Buffer.from('z')]
    const bytes = await write(data)
    // `toEqual` compares Buffers byte by byte, which takes longer than to read them.
    for (const size of sizes)
      expect((await read(bytes, size)).equals(Buffer.concat(data)), `${size}`).toBe(true)
  }
})

test('BadBackup for any changed byte, any truncation, and any data after the end', async () => {
  const bytes = await write([Buffer.from('some data of a table')])
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(read(changed), `byte ${at} changed`).rejects.toThrow(BadBackup)
    await expect(read(bytes.subarray(0, at)), `cut off at ${at}`).rejects.toThrow(BadBackup)
  }
  await expect(read(Buffer.concat([bytes, bytes]))).rejects.toThrow(BadBackup)
})
