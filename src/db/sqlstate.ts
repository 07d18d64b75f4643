/** SQLSTATE codes that the code handles, with PostgreSQL's names (appendix A of its manual). */
export const SQLSTATE = {
  characterNotInRepertoire: '22021',
  untranslatableCharacter: '22P05',
  uniqueViolation: '23505',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  featureNotSupported: '0A000',
  internalError: 'XX000',
} as const

/**
 * Connection exceptions, insufficient resources, shutdowns, system errors, and a server that only reads for now (25006):
 * the server is unavailable, the statement is valid.
 */
const OUTAGE = /^(08|57P0[1-5]|53|58|25006)/
/** Data exceptions and integrity constraint violations: the same values fail again. */
const BAD_DATA = /^2[23]/
/** Operating system errors of the connection. */
const SYSTEM_OUTAGE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'ENETUNREACH',
])

/** Returns the SQLSTATE of a PostgreSQL error, or null. Errors are matched by code and constraint prefix, not by text. */
export function sqlState(error: unknown): string | null {
  const code = codeOf(error)
  return code?.length === 5 ? code : null
}

/**
 * Returns whether a unique constraint whose name begins with the prefix rejected the row. Citus reports an error of another
 * node without the `constraint` field, with a number behind the name, and as an internal error if rows were copied there.
 */
export function violates(error: unknown, constraintPrefix: string): boolean {
  const code = sqlState(error)
  if (code !== SQLSTATE.uniqueViolation && !(code === SQLSTATE.internalError && isOfConstraint(error)))
    return false
  const { constraint, message = '' } = error as { constraint?: string; message?: string }
  if (constraint !== undefined) return constraint.startsWith(constraintPrefix)
  return NAME_IN_TEXT.exec(message)?.[1]?.startsWith(constraintPrefix) ?? false
}

/** The name of the constraint in PostgreSQL's text: the last one in quotation marks of any language. */
const NAME_IN_TEXT = /.*["'«»„“”‘’]\s*(\w+)\s*["'«»„“”‘’]/su

/** Returns whether the data is at fault, so that a retry with the same data fails too. */
export function isBadData(error: unknown): boolean {
  const code = sqlState(error)
  return BAD_DATA.test(code ?? '') || (code === SQLSTATE.internalError && isOfConstraint(error))
}

/** Texts of PostgreSQL for violated constraints, which Citus repeats. */
const CONSTRAINT_TEXT = /violates (unique|check|foreign key|not-null|exclusion) constraint/

function isOfConstraint(error: unknown): boolean {
  return CONSTRAINT_TEXT.test((error as { message?: string } | null)?.message ?? '')
}

/** Returns whether the server ended a statement that ran, or waited for a lock, for too long. */
export function isEndedByServer(error: unknown): boolean {
  const code = sqlState(error)
  return code === SQLSTATE.queryCanceled || code === SQLSTATE.lockNotAvailable
}

/** Text of Citus for a node that it lost in the middle of a transaction. Its code is that of any internal error. */
const LOST_NODE_TEXT = /failure on connection marked as essential/

/** Returns whether an error with a code says that the server cannot be reached. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error)
  if (code === SQLSTATE.internalError)
    return LOST_NODE_TEXT.test((error as { message?: string }).message ?? '')
  return code !== null && (OUTAGE.test(code) || SYSTEM_OUTAGE.has(code))
}

/** Texts of errors that the driver throws without a code when a connection is lost or cannot be opened in time. */
const DRIVER_OUTAGE_TEXT = /timeout|terminated|not queryable|closed|Connection ended/i

/**
 * The fallback for errors of the driver, which have no code: returns whether the text says that the server cannot be
 * reached. The caller logs what was matched, because a new version of the driver may change its texts.
 */
export function isOutageByText(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === null && DRIVER_OUTAGE_TEXT.test(error.message)
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
