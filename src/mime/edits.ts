/** What goes in place of octets of a message; `start` and `end` are the same for what is put between. */
export interface Edit {
  start: number
  end: number
  bytes: Buffer
}

const NOTHING = Buffer.alloc(0)

/** Takes a field or other octets out. */
export function remove({ start, end }: { start: number; end: number }): Edit {
  return { start, end, bytes: NOTHING }
}

/** The pieces of an edited message, in order, with nothing copied. Edits at one place keep their order. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(bytes.subarray(at, edit.start), edit.bytes)
    at = edit.end
  }
  pieces.push(bytes.subarray(at))
  return pieces
}
