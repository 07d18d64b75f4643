import { CommanderError } from 'commander'
import { SendwrightError } from '../../../packages/sdk/src/index.ts'
import { formatCell, formatText } from './output.ts'

const FAILED = 1
const USAGE_ERROR = 2

/** A failure that the person at the terminal can fix. Its message is all that they see. */
export class CommandError extends Error {}

/** Prints why a command failed on standard error, and returns the exit code. A bug is printed with its stack. */
export function reportFailure(error: unknown): number {
  // Commander has already printed its message. Help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
  process.stderr.write(`${formatText(sentenceOf(error))}\n`)
  return FAILED
}

function sentenceOf(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (error instanceof SendwrightError) return describeApiFailure(error)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Returns the messages of the response and, if the reader can act on it, how to continue. */
export function describeApiFailure(error: SendwrightError): string {
  const all = Object.values(error.errors).flat()
  // A line break inside a message would let it look like another one.
  const message = (all.length > 1 ? all : [error.message]).map(formatCell).join('\n')
  const advice = adviceFor(error)
  const request = error.statusCode !== null && error.statusCode >= 500 ? requestOf(error) : ''
  return `${message}${request}${advice === null ? '' : `\n${advice}`}`
}

function requestOf({ requestId }: SendwrightError): string {
  return requestId === null ? '' : ` (x-request-id ${requestId})`
}

function adviceFor({ name, statusCode }: SendwrightError): string | null {
  if (statusCode === 401) return 'Run "sendwright login" to store another key.'
  if (statusCode === 403) return 'Use a key with the permission "full" and without a domain.'
  if (name === 'network_error')
    return 'Check that the server runs, and its URL: "sendwright profiles" shows it.'
  return null
}

/** Returns the code of a failed system call, for example ENOENT. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
