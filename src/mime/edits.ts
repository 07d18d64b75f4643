/** A replacement of octets in a message. `start` equals `end` for an insertion. */
export interface Edit {
  start: number
  end: number
  bytes: Buffer
}

const NOTHING = Buffer.alloc(0)

/** Returns the edit that removes a field or other octets. */
export function remove({ start, end }: { start: number; end: number }): Edit {
  return { start, end, bytes: NOTHING }
}

/** Returns the pieces of an edited message in order, without copying. Edits at one place keep their order. */
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
