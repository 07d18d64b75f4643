import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../../lib/async/semaphore.ts'

/** The cost of a hash: OWASP's first choice for argon2id. A change applies to each user at the next login. */
const PARAMETERS = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32
/** The limit on concurrent hashes of a process. Each uses 19 MiB and a thread of the pool that files and DNS share. */
const RUNNING_MAX = 2
/** The limit on waiting requests, about three seconds of work. Further requests get a 503. */
const WAITING_MAX = 40
/** RFC 9106 parameters in the PHC string format. */
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

interface Cost {
  memoryKib: number
  passes: number
  parallelism: number
}

export interface Passwords {
  /**
   * Throws OverloadedError (503) if too many requests wait. Call it before counting a login attempt, because an overload
   * says nothing about the password.
   */
  requireRoom(): void
  /** Rejects with OverloadedError (503) if too many requests wait, as `verify` does. */
  hash(password: string): Promise<string>
  /** @param phc null if there is no user: takes the same time and resolves to false */
  verify(password: string, phc: string | null): Promise<boolean>
  /** Returns whether the parameters of the hash differ from the current ones. */
  isOutdated(phc: string): boolean
}

const derive = promisify(argon2)

/** Hashes and verifies passwords, a few at a time. Equivalent Unicode forms are the same password (NFKC). */
export function createPasswords(): Passwords {
  const dummyHash = formatPhc(PARAMETERS, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))
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
      const { cost, salt, tag } = parsePhc(phc ?? dummyHash)
      const result = await run(password, cost, salt, tag.length)
      return timingSafeEqual(result, tag) && phc !== null
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
  if (salt === undefined || tag === undefined) throw new Error('A password hash has an unknown format.')
  return {
    cost: { memoryKib: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
