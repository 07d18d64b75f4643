import { codeOf, reportFailure } from './failures.ts'
import { createDeveloperProgram } from './program.ts'

/** Runs the command of `process.argv` and sets the exit code. */
export async function run(): Promise<void> {
  process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
  process.on('unhandledRejection', (error) => process.exit(reportFailure(error)))
  // The reader of the pipe has what it wanted, as `head` does.
  process.stdout.on('error', (error) => process.exit(codeOf(error) === 'EPIPE' ? 0 : reportFailure(error)))
  try {
    await createDeveloperProgram().parseAsync()
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}
