import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createCompletion, SHELLS } from '../src/completion.ts'
import { createDeveloperProgram } from '../src/program.ts'

/** Returns what bash offers after these words; the last one may be unfinished. */
function completeInBash(...words: string[]): string[] {
  const script = `${createCompletion('bash', createDeveloperProgram())}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sendwright; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
  return output.trim().split('\n')
}

test('bash completes commands, their commands and their options', () => {
  expect(completeInBash('sendwright', 'te')).toEqual(['templates'])
  expect(completeInBash('sendwright', 'templates', 'p')).toEqual(['pull', 'push', 'preview'])
  expect(completeInBash('sendwright', 'listen', '--f')).toEqual(['--forward-to'])
  expect(completeInBash('sendwright', 'emails', 'get', 'some-id', '--p')).toEqual(['--profile'])
})

test.each(SHELLS)('the script for %s has every command', (shell) => {
  const script = createCompletion(shell, createDeveloperProgram())
  for (const word of ['login', 'emails', 'tail', 'forward-to', 'captured', 'verify'])
    expect(script).toContain(word)
})
