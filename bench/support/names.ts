/** The sender's domain; `.test` never leaves a machine (RFC 6761 section 6.2). */
export const DOMAIN = 'bench.test'
export const RECIPIENT_DOMAIN = 'customers.test'
/** Where the recipients' MX record points. */
export const MX_HOST = 'mx.customers.test'
/** Connections of the load generators. */
export const CLIENTS = 64
/** Sent before the clock starts, so that compilers, caches and pools of processes are warm on every side. */
export const WARM_UP_COUNT = 1_000
export const RUN_LIMIT_MS = 300_000
