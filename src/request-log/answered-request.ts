import type { ErrorBody } from '../http/connections/error-body.ts'

/** One answered request with an API key, without its body, query and headers. */
export interface AnsweredRequest {
  teamId: string
  /** The x-request-id of the response. */
  id: string
  apiKeyId: string
  method: string
  /** As in the API document: `/emails/{id}`. Null: no route has the path. */
  route: string | null
  /** The path without anything private (recorded-path.ts). */
  path: string
  status: number
  durationMs: number
  /** By Content-Length; null without one. */
  requestBytes: number | null
  responseBytes: number | null
  ipAddress: string
  userAgent: string | null
  /** The record that a POST created. */
  recordId: string | null
  error: ErrorBody | null
}
