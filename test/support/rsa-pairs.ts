import crypto, { generateKeyPair } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

// Runs before a process loads the source. An RSA pair takes a fifth of a second of the processor, and the tests add more than a
// thousand domains. After so many pairs, a process repeats them in turn. Neighbors always differ, and each is a real pair.
const PAIRS_MAX = 8
const MARK = Symbol.for('sendwright.repeats-rsa-pairs')

type Generate = (kind: string, options?: object) => Promise<unknown>

function repeatRsaPairs(): void {
  const original = generateKeyPair
  const generate = promisify(original) as unknown as Generate
  const pairs: Promise<unknown>[] = []
  let asked = 0
  const repeat: Generate = (kind, options) => {
    if (kind !== 'rsa') return generate(kind, options)
    const place = asked++ % PAIRS_MAX
    pairs[place] ??= generate(kind, options)
    return pairs[place]
  }
  const replaced = Object.assign(original.bind(null), { [promisify.custom]: repeat, [MARK]: true })
  Object.assign(crypto, { generateKeyPair: replaced })
  syncBuiltinESMExports()
}

// Vitest runs this again for each file of a process.
if (!(MARK in generateKeyPair)) repeatRsaPairs()
