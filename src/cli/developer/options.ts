import { type Command, InvalidArgumentError } from 'commander'

/** Adds the options of every command that calls the API. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'the stored server and key to use ("sendwright login" stores one)')
    .option('--json', 'print JSON')
}

/** Adds a command that calls the API. */
export function addVerb(parent: Command, name: string, description: string): Command {
  return withCommonOptions(parent.command(name).description(description))
}

/** Reads a number of records. Throws a usage error. */
export function readRecordCount(text: string): number {
  const count = Number(text)
  if (!/^\d{1,6}$/.test(text) || count < 1) throw new InvalidArgumentError('It must be 1 to 999999.')
  return count
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Collects the values of a repeatable `name=value`. Throws a usage error. */
export function collectPair(text: string, before: Readonly<Record<string, string>> = {}) {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must have the form name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Returns the fields that have a value. */
export function definedOptions<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
