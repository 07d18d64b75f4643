import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A word that can follow the words of a path of commands. */
interface Word {
  word: string
  description: string
}

interface Place {
  /** The commands before the word, without the program. */
  path: string
  words: Word[]
}

/** Returns the completion script of a shell for all commands and options of a program. */
export function createCompletion(shell: Shell, program: Command): string {
  const places = findPlaces(program, [])
  return { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell](places)
}

function findPlaces(command: Command, path: readonly string[]): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((child) => child.name() !== 'help')
  const words = [
    ...commands.map((child) => ({ word: child.name(), description: child.description() })),
    ...help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long == null ? [] : [{ word: long, description }])),
  ]
  const children = commands.flatMap((child) => findPlaces(child, [...path, child.name()]))
  return [{ path: path.join(' '), words }, ...children]
}

/** Where there is no word to offer, the shell completes names of files. */
function writeBash(places: readonly Place[]): string {
  const cases = places.map(
    ({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`,
  )
  return `_sendwright() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in -*) break ;; esac
    case "|${places.map(({ path }) => path).join('|')}|" in
      *"|\${path:+$path }\${COMP_WORDS[index]}|"*) path="\${path:+$path }\${COMP_WORDS[index]}" ;;
      *) break ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _sendwright sendwright
`
}

function writeZsh(places: readonly Place[]): string {
  const cases = places.map(({ path, words }) => {
    const pairs = words.map(({ word, description }) => quote(`${word.replaceAll(':', '\\:')}:${description}`))
    return `    '${path}') words_here=(${pairs.join(' ')}) ;;`
  })
  return `#compdef sendwright
_sendwright() {
  local place='' index
  local -a words_here
  for ((index = 2; index < CURRENT; index++)); do
    [[ "\${words[index]}" == -* ]] && break
    case "|${places.map(({ path }) => path).join('|')}|" in
      *"|\${place:+$place }\${words[index]}|"*) place="\${place:+$place }\${words[index]}" ;;
      *) break ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  _describe 'command' words_here || _files
}
compdef _sendwright sendwright
`
}

function writeFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const option = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      return `complete -c sendwright -n "__sendwright_at '${path}'" ${option} -d ${quoteFish(description)}`
    }),
  )
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]))
  return `function __sendwright_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$place $word")
    contains -- "$longer" ${paths.join(' ')}; or break
    set place "$longer"
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quoteFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
