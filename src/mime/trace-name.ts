/**
 * What mail systems write about a message on its way: Authentication-Results (RFC 8601), Received-SPF (RFC 7208) and
 * ARC (RFC 8617). A sender who writes them claims checks that nobody made, and receivers within the sender's trust
 * boundary may believe them. X-Sendwright-* is how programs speak to this service.
 */
const TRACE_NAME = /^(?:authentication-results|received-spf|arc-.*|x-sendwright-.*)$/

/** Returns whether a header field, by its name in lower case, may not leave this service as a sender wrote it. */
export function isTraceName(name: string): boolean {
  return TRACE_NAME.test(name)
}
