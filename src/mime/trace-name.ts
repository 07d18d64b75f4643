/**
 * Trace fields that mail systems add in transit: Authentication-Results (RFC 8601), Received-SPF (RFC 7208) and ARC (RFC
 * 8617). In a sender's message they claim checks that did not happen, and receivers within the sender's trust boundary may
 * believe them. X-Sendwright-* fields are commands to this service.
 */
const TRACE_NAME = /^(?:authentication-results|received-spf|arc-.*|x-sendwright-.*)$/

/** Returns whether the service must remove or reject a sender's field with this lower-case name. */
export function isTraceName(name: string): boolean {
  return TRACE_NAME.test(name)
}
