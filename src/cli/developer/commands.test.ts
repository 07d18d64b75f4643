import { Command } from 'commander'
import { expect, test } from 'vitest'
import { loadCommands } from './commands.ts'

test.each([
  { name: 'two', loaded: ['two'] },
  { name: 'three', loaded: ['one', 'two'] },
  { name: 'constructor', loaded: ['one', 'two'] },
  { name: undefined, loaded: ['one', 'two'] },
])('only the command that is named is loaded, else all: $name', async ({ name, loaded }) => {
  const calls: string[] = []
  const load = (command: string) => async () => {
    calls.push(command)
    return new Command(command)
  }
  const commands = await loadCommands({ one: load('one'), two: load('two') }, name)
  expect(calls).toEqual(loaded)
  expect(commands.map((command) => command.name())).toEqual(loaded)
})
