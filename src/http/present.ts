import type { Refusal } from '../lib/refusal.ts'

/** The answer of a DELETE. An empty 204 would break the Resend SDK. */
export function presentDeleted(kind: string, id: string): { object: string; id: string; deleted: true } {
  return { object: kind, id, deleted: true }
}

/** The one shape of every error (ERR-1). */
export interface ErrorBody {
  statusCode: number
  name: string
  message: string
  errors?: Record<string, string[]>
}

export function presentRefusal(refusal: Refusal): ErrorBody {
  const body = { statusCode: refusal.status, name: refusal.refusal, message: refusal.message }
  return refusal.errors === undefined ? body : { ...body, errors: refusal.errors }
}
