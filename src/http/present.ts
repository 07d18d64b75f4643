import type { ApiError } from '../lib/api-error.ts'

/** Returns the response of a DELETE. An empty 204 would break the Resend SDK. */
export function deletedToJson(kind: string, id: string): { object: string; id: string; deleted: true } {
  return { object: kind, id, deleted: true }
}

/** The body of every error (ERR-1). */
export interface ErrorBody {
  statusCode: number
  name: string
  message: string
  errors?: Record<string, string[]>
}

export function apiErrorToJson(apiError: ApiError): ErrorBody {
  const body = { statusCode: apiError.status, name: apiError.code, message: apiError.message }
  return apiError.errors === undefined ? body : { ...body, errors: apiError.errors }
}
