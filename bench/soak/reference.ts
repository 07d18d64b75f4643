import { generateKeyPairSync, sign } from 'node:crypto'
import { makeDraft } from '../support/message.ts'

const SIGNATURES = 40
const EMAILS = 200
const COPIES = 4
const COPIED_BYTES = 16 * 1024 * 1024

/**
 * Returns a function that does the same small work each time and returns its CPU time in milliseconds: signatures, JSON and
 * copies, as an email needs. If it takes longer, the machine has become slower, not the server.
 */
export function createReference(): () => number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const email = makeDraft(1)
  const [from, to] = [Buffer.alloc(COPIED_BYTES, 1), Buffer.alloc(COPIED_BYTES)]
  return () => {
    const before = process.threadCpuUsage()
    for (let number = 0; number < SIGNATURES; number++) sign('sha256', from.subarray(0, 600), privateKey)
    for (let number = 0; number < EMAILS; number++) JSON.parse(JSON.stringify({ ...email, number }))
    for (let number = 0; number < COPIES; number++) from.copy(to)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}
