import { CommanderError } from 'commander'
import { ConfigError } from '../../config/config.ts'
import { DatabaseUnavailable } from '../../db/db-types.ts'
import { ApiError } from '../../lib/api-error.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { createProgram } from './program.ts'

const FAILED = 1
const USAGE_ERROR = 2

/** Prints one sentence on standard error and returns the exit code. A bug is printed with its stack. */
function reportFailure(error: unknown): number {
  // Commander has already printed its message. Help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
  process.stderr.write(`${sentenceOf(error)}\n`)
  return FAILED
}

function sentenceOf(error: unknown): string {
  if (error instanceof CannotStart || error instanceof ConfigError) return error.message
  if (error instanceof ApiError) return describeApiError(error)
  if (error instanceof DatabaseUnavailable || isSystemError(error)) return describeOutage(error)
  if (!(error instanceof Error)) return String(error)
  return error.stack ?? error.message
}

function describeApiError(apiError: ApiError): string {
  const all = Object.values(apiError.errors ?? {}).flat()
  return all.length > 1 ? all.join('\n') : apiError.message
}

/**
 * Returns whether the error is a failed connection to the database: a separate connection, as for migrations, fails
 * with a system error. Commands open no other connections.
 */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'connect'
}

function describeOutage(error: DatabaseUnavailable | NodeJS.ErrnoException): string {
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return `The database cannot be used: ${cause}.`
}

/** Runs a command line and returns its exit code. */
export async function runOperatorCommand(args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(args)
    await program.parseAsync(args, { from: 'user' })
    // A command sets it when its work is done but the result is a failure, such as a problem that the doctor found.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return reportFailure(error)
  }
}

/** Runs the command of `process.argv` and sets the exit code. */
export async function runOperator(): Promise<void> {
  process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
  process.on('unhandledRejection', (error) => process.exit(reportFailure(error)))
  const code = await runOperatorCommand(process.argv.slice(2))
  // Resources opened by a failed start must not keep the process alive. A command that set the code has closed its own.
  if (code !== (process.exitCode ?? 0)) process.exit(code)
}
