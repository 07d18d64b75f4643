import type { ApiError } from '../../lib/api-error.ts'

/** The body of every error (ERR-1). */
export interface ErrorBody {
  statusCode: number
  name: string
  message: string
  hint?: string
  errors?: Record<string, string[]>
}

export function apiErrorToJson(apiError: ApiError): ErrorBody {
  const { status, code, message, hint, errors } = apiError
  return {
    statusCode: status,
    name: code,
    message,
    ...(hint !== undefined && { hint }),
    ...(errors !== undefined && { errors }),
  }
}
