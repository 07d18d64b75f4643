import type { Role } from './memberships-queries.ts'
import type { PlanName } from './plans.ts'

/** The authenticated caller and the team: the key of a bearer token, or the user of a session. */
export interface Caller {
  teamId: string
  /** Null: the caller is a user. */
  keyId: string | null
  /** Null: the caller is an API key. */
  user: { id: string; role: Role } | null
  permission: 'full' | 'send'
  /** If set, the key may send only from this domain. */
  domainId: string | null
  /** If set, the key expires then, and cannot create a key that expires later. */
  expiresAt: Date | null
  plan: PlanName
  /** At most a second old. When acceptance needs the exact state, it reads the team again in its transaction. */
  isSendingPaused: boolean
}

export interface Authenticator {
  /** Returns the caller of a key. Throws ApiError (`invalid_api_key`), DatabaseUnavailable. */
  authenticate(token: string): Promise<Caller>
  /** Returns the caller of a cached key that was valid when it was last looked up, or null. Grants no access. */
  guess(token: string): Caller | null
  /** Clears the cache after a change of keys in this process, without waiting for the notification. */
  forget(): void
  /** Starts listening for changes of keys and teams by other processes. */
  start(): void
  /** Writes the pending last-use times and stops listening. */
  stop(): Promise<void>
}
