import { codeOf, reportFailure } from './failures.ts'
import { createDeveloperProgram } from './program.ts'

/** Runs a command line and returns its exit code. */
export async function runDeveloperCommand(args: readonly string[]): Promise<number> {
  try {
    const program = await createDeveloperProgram(args)
    await program.parseAsync(args, { from: 'user' })
    // A command sets it when its work is done but the result is a failure, such as an import of which a part failed.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return reportFailure(error)
  }
}

/** Runs the command of `process.argv` and sets the exit code. */
export async function runDeveloper(): Promise<void> {
  process.on('uncaughtException', (error) => process.exit(reportFailure(error)))
  process.on('unhandledRejection', (error) => process.exit(reportFailure(error)))
  // The reader of the pipe has what it wanted, as `head` does.
  process.stdout.on('error', (error) => process.exit(codeOf(error) === 'EPIPE' ? 0 : reportFailure(error)))
  process.exitCode = await runDeveloperCommand(process.argv.slice(2))
}
