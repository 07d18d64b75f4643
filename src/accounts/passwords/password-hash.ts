import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../../lib/async/semaphore.ts'

/** What a hash costs: OWASP's first choice for argon2id. Whoever raises it raises it for all, at their next login. */
const PARAMETERS = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Of one process at a time: each holds 19 MiB and a thread of the pool that files and DNS use too. */
const RUNNING_MAX = 2
/** About three seconds of work; who comes then is told to come again. */
const WAITING_MAX = 40
/** RFC 9106 as the PHC string format writes it. */
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

interface Cost {
  memoryKib: number
  passes: number
  parallelism: number
}

export interface Passwords {
  /** Throws OverloadedError (503) when too many wait already: asked before a try is counted, which then says nothing of a password. */
  requireRoom(): void
  /** Rejects with OverloadedError (503) when too many wait already, as `verify` does. */
  hash(password: string): Promise<string>
  /** @param phc null: there is nobody, which takes as long and is never right */
  verify(password: string, phc: string | null): Promise<boolean>
  /** Whether it was made with other parameters than those of now. */
  isOutdated(phc: string): boolean
}

const derive = promisify(argon2)

/** Hashes of passwords, a few at a time. The same characters in another form of Unicode are the same password (NFKC). */
export function createPasswords(): Passwords {
  const nobody = formatPhc(PARAMETERS, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
  const inTurn = createSemaphore(RUNNING_MAX, WAITING_MAX)

  function run(password: string, cost: Cost, salt: Buffer, tagLength: number): Promise<Buffer> {
    const parameters: Argon2Parameters = {
      message: Buffer.from(password.normalize('NFKC'), 'utf8'),
      nonce: salt,
      memory: cost.memoryKib,
      passes: cost.passes,
      parallelism: cost.parallelism,
      tagLength,
    }
    return inTurn(() => derive('argon2id', parameters))
  }

  return {
    requireRoom: inTurn.requireRoom,
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return formatPhc(PARAMETERS, salt, await run(password, PARAMETERS, salt, TAG_BYTES))
    },
    async verify(password, phc) {
      const { cost, salt, tag } = parsePhc(phc ?? nobody)
      const found = await run(password, cost, salt, tag.length)
      return timingSafeEqual(found, tag) && phc !== null
    },
    isOutdated(phc) {
      const { cost } = parsePhc(phc)
      return formatCost(cost) !== formatCost(PARAMETERS)
    },
  }
}

const formatCost = ({ memoryKib, passes, parallelism }: Cost) => `m=${memoryKib},t=${passes},p=${parallelism}`
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function formatPhc(cost: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$${formatCost(cost)}$${base64(salt)}$${base64(tag)}`
}

function parsePhc(phc: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, m, t, p, salt, tag] = PHC.exec(phc) ?? []
  if (salt === undefined || tag === undefined) throw new Error('A password hash is of no form that is known.')
  return {
    cost: { memoryKib: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
