import { Argument, Command } from 'commander'
import { createCompletion, SHELLS, type Shell } from '../developer/completion.ts'

/** Prints what a shell needs to complete every command, operators' and developers'. */
export function completionCommand(program: Command): Command {
  return new Command('completion')
    .description('print the completion for a shell, for example: source <(sendwright completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(createCompletion(shell, program))
    })
}
