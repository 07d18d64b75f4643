import type { Readable } from 'node:stream'

const LINE_END = 10

/**
 * Calls `write` with whole lines of a stream, several at once if they arrived together. If the stream ends within a
 * line, because its process was killed, adds the line end.
 */
export function forwardLines(stream: Readable, write: (lines: string) => void): void {
  let chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(LINE_END) + 1
    if (end > 0) {
      write(Buffer.concat([...chunks, chunk.subarray(0, end)]).toString())
      chunks = []
    }
    if (end < chunk.length) chunks.push(chunk.subarray(end))
  })
  stream.on('end', () => {
    if (chunks.length > 0) write(`${Buffer.concat(chunks).toString()}\n`)
  })
  // A broken pipe ends the stream, too.
  stream.on('error', () => {})
}
