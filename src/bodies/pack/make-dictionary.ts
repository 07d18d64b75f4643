/** A message, and the group of people whose personal data it may contain. */
export interface Sample {
  message: Buffer
  /** Emails that share a recipient are in one group. */
  group: number
}

/**
 * How many groups must have a piece of text before it is in a dictionary. A dictionary outlives the emails that it is made
 * from: what only one person's emails contain must not be in it, or erasing these emails would not erase that.
 */
const GROUPS_MIN = 4
/** Larger dictionaries save little more, and each body is compressed against all of it. */
const DICTIONARY_BYTES_MAX = 112 * 1024
/** Of each message, this much is searched for shared text. */
export const SAMPLE_BYTES_MAX = 64 * 1024
/** Shorter pieces are found in the message itself. */
const PIECE_CHARS_MIN = 8
/** The end of a line, of a tag, or of an attribute's value: what is between two ends is the same in all emails, or a value. */
const PIECES = /[^\n>"]*[\n>"]|[^\n>"]+$/g

/**
 * Returns text that the messages of several unrelated recipients share, for zstd to compress others of the same templates
 * against, or null if they share too little. Leaves out lines with addresses. Each piece of text is taken once, so that
 * the values of one person do not stay together.
 */
export function makeDictionary(samples: readonly Sample[]): Buffer | null {
  const texts = samples.map(({ message, group }) => ({ pieces: piecesOf(message), group }))
  const groupsOf = countGroups(texts)
  let text = ''
  for (const { pieces } of texts) {
    for (const piece of pieces) {
      const groups = groupsOf.get(piece)
      if (groups === undefined || groups.count < GROUPS_MIN) continue
      groupsOf.delete(piece)
      if (text.length + piece.length <= DICTIONARY_BYTES_MAX) text += piece
    }
  }
  return text === '' ? null : Buffer.from(text, 'latin1')
}

/** One character for each byte. */
function piecesOf(message: Buffer): string[] {
  const pieces = message.toString('latin1').match(PIECES) ?? []
  return pieces.filter((piece) => piece.length >= PIECE_CHARS_MIN && !piece.includes('@'))
}

function countGroups(texts: readonly { pieces: string[]; group: number }[]) {
  const groupsOf = new Map<string, { count: number; last: number }>()
  for (const { pieces, group } of texts.toSorted((a, b) => a.group - b.group)) {
    for (const piece of pieces) {
      const groups = groupsOf.get(piece)
      if (groups === undefined) groupsOf.set(piece, { count: 1, last: group })
      else if (groups.last !== group) {
        groups.count++
        groups.last = group
      }
    }
  }
  return groupsOf
}

/**
 * Returns a number for each email: the same for emails that share a recipient, also by way of others.
 * @param recipients the recipients of each email
 */
export function groupByRecipient(recipients: readonly (readonly string[])[]): number[] {
  const parents = recipients.map((_, index) => index)
  const rootOf = (start: number): number => {
    let index = start
    while (parents[index] !== index) index = parents[index] as number
    return index
  }
  const firstOf = new Map<string, number>()
  recipients.forEach((addresses, index) => {
    for (const address of addresses) {
      const first = firstOf.get(address)
      if (first === undefined) firstOf.set(address, index)
      else parents[rootOf(index)] = rootOf(first)
    }
  })
  return parents.map((_, index) => rootOf(index))
}
