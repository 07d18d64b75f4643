import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCompletion, SHELLS } from '../../src/cli/developer/completion.ts'
import { createDeveloperProgram } from '../../src/cli/developer/program.ts'
import { titleOf } from '../support/absent-programs.ts'

const program = await createDeveloperProgram([])

/** Returns what bash offers after these words; the last one may be unfinished. */
function completeInBash(...words: string[]): string[] {
  const script = `${createCompletion('bash', program)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sendwright; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
  return output.trim().split('\n')
}

test('bash completes commands, their commands and their options', () => {
  expect(completeInBash('sendwright', 'te')).toEqual(['templates'])
  expect(completeInBash('sendwright', 'templates', 'p')).toEqual(['pull', 'push', 'publish', 'preview'])
  expect(completeInBash('sendwright', 'listen', '--f')).toEqual(['--forward-to'])
  expect(completeInBash('sendwright', 'emails', 'get', 'some-id', '--p')).toEqual(['--profile'])
})

test.each(SHELLS)('the script for %s has every command', (shell) => {
  const script = createCompletion(shell, program)
  for (const word of ['login', 'emails', 'tail', 'forward-to', 'captured', 'verify'])
    expect(script).toContain(word)
})

const run = (shell: string, args: readonly string[]) =>
  spawnSync(shell, args, { encoding: 'utf8', timeout: 20_000 })
const lacks = (shell: string) => run(shell, ['--version']).status !== 0
const [hasNoFish, hasNoZsh] = [lacks('fish'), lacks('zsh')]

test.skipIf(hasNoFish)(titleOf('fish completes them, with their descriptions', hasNoFish, 'fish'), () => {
  const script = createCompletion('fish', program)
  const completeInFish = (line: string) =>
    run('fish', ['--no-config', '-c', `${script}\ncomplete -C '${line}'`])
      .stdout.trim()
      .split('\n')
  expect(completeInFish('sendwright te')).toEqual(['templates\tKeep templates as files, for example in Git'])
  const verbs = completeInFish('sendwright templates p').map((line) => line.split('\t')[0])
  expect(verbs).toEqual(['preview', 'publish', 'pull', 'push'])
  expect(completeInFish('sendwright listen --f')[0]).toMatch(/^--forward-to\t/)
  expect(completeInFish('sendwright emails get some-id --p')[0]).toMatch(/^--profile\t/)
})

/** Types a line and the tabulator key in an interactive zsh, and waits until its screen matches the pattern. */
const TYPE_IN_ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='> '; autoload -U compinit; compinit -D; source $1; print 'rea''dy'"
zpty -r -m shell screen '*ready*'
zpty -w -n shell "$2"$'\\t\\t'
zpty -r -m shell screen "$3"
zpty -d shell`

test.skipIf(hasNoZsh).each([
  ['sendwright te', '*sendwright templates*'],
  ['sendwright templates p', '*preview*-- render*pull*-- write*push*-- store*'],
  ['sendwright listen --f', '*listen --forward-to*'],
  ['sendwright emails get some-id --p', '*some-id --profile*'],
])(
  titleOf('zsh completes %j', hasNoZsh, 'zsh'),
  (line, pattern) => {
    const folder = mkdtempSync(join(tmpdir(), 'completion-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'script')
    writeFileSync(file, createCompletion('zsh', program))
    const typed = run('zsh', ['-f', '-c', TYPE_IN_ZSH, 'zsh', file, line, pattern])
    expect(typed.status).toBe(0)
  },
  30_000,
)
