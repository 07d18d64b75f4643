import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** CPU time of one signature alone, in microseconds. */
export interface SignatureCost {
  rsaUs: number
  ed25519Us: number
}

const RSA_COUNT = 1000
const ED25519_COUNT = 5000
/** About the size of the signed fields of an email. */
const INPUT_BYTES = 600

/** Measures what the keys of the benchmark's emails cost without anything around them. */
export function measureSignatures(): SignatureCost {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  return {
    rsaUs: measureSignature('sha256', rsa, RSA_COUNT),
    ed25519Us: measureSignature(null, ed25519, ED25519_COUNT),
  }
}

function measureSignature(algorithm: string | null, key: KeyObject, count: number): number {
  const input = randomBytes(INPUT_BYTES)
  const before = process.cpuUsage()
  for (let number = 0; number < count; number++) sign(algorithm, input, key)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
