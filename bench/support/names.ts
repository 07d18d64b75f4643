/** The sender's domain; `.test` never leaves a machine (RFC 6761 section 6.2). */
export const DOMAIN = 'bench.test'
export const RECIPIENT_DOMAIN = 'customers.test'
/** The host in the recipients' MX record. */
export const MX_HOST = 'mx.customers.test'
/** Connections of the load generators. */
export const CLIENTS = 64
/** Emails sent before the measurement, so that compilers, caches and process pools are warm for every subject. */
export const WARM_UP_COUNT = 1_000
export const RUN_LIMIT_MS = 300_000
