const CAPACITY_MIN = 64

/** The part of Buffer's interface that parsing JSON needs. */
export interface Octets {
  readonly length: number
  readonly [index: number]: number
  /** Returns the position of an octet at or after `from`, -1 if there is none. */
  indexOf(octet: number, from: number): number
  toString(encoding: 'latin1' | 'utf8', from: number, to: number): string
}

interface Found {
  octets: Uint8Array<ArrayBuffer>
  /** The position after the closing bracket. */
  end: number
}

/**
 * Reads the JSON array at `start` if it contains only whole numbers of 0 to 255. 27,000,000 of them are a file of 27
 * MB, but half a gigabyte as JavaScript numbers. Returns null for any other array, at the first item that differs.
 */
export function readOctets(bytes: Octets, start: number): Found | null {
  let octets = new Uint8Array(CAPACITY_MIN)
  let count = 0
  for (let at = start + 1; ; at++) {
    at = afterSpace(bytes, at)
    const first = at
    let value = 0
    while (isDigit(bytes[at]) && at - first < 3) value = value * 10 + (bytes[at++] as number) - 0x30
    const isPlain = at > first && value <= 255 && (bytes[first] !== 0x30 || at === first + 1)
    if (!isPlain) return null
    if (count === octets.length) octets = grow(octets)
    octets[count++] = value
    at = afterSpace(bytes, at)
    // A closing bracket ends the array. Any other character except a comma means that this is not an array of octets.
    if (bytes[at] === 0x5d) return { octets: shrink(octets, count), end: at + 1 }
    if (bytes[at] !== 0x2c) return null
  }
}

function isDigit(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x30 && octet <= 0x39
}

/** Returns the index of the first octet at or after `from` that is not white space (RFC 8259 section 2). */
export function afterSpace(bytes: Octets, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

function grow(octets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(octets.length * 2)
  larger.set(octets)
  return larger
}

function shrink(octets: Uint8Array<ArrayBuffer>, count: number): Uint8Array<ArrayBuffer> {
  return octets.length === count ? octets : octets.slice(0, count)
}
