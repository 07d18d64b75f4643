import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../lib/api-error.ts'

const BEARER = /^Bearer +([\x21-\x7e]{1,1000})$/i

/**
 * Returns the token of the one Authorization header (RFC 6750 section 2.1). Rejects two headers, because a proxy and
 * this server might each use another. Ignores keys in the query, because URLs end up in logs.
 */
export function readBearer({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string {
  let value: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue
    if (value !== undefined) throw new ApiError('invalid_api_key')
    value = rawHeaders[index + 1]
  }
  if (value === undefined || value.trim() === '') throw new ApiError('missing_api_key')
  const token = BEARER.exec(value)?.[1]
  if (token === undefined) throw new ApiError('invalid_api_key')
  return token
}
