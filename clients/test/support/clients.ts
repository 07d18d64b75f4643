import { afterAll, describe } from 'vitest'
import { type Setup, useServer } from '../../../packages/sdk/test/support/server.ts'
import type { Sender } from '../../../test/support/sendwright.ts'
import {
  createInterpreters,
  type Interpreter,
  LANGUAGES,
  type Language,
  SnippetError,
} from './interpreters.ts'

/** The same snippet in each language. */
export type Snippets = Record<Language, string>

export interface Client {
  sender: Sender
  // biome-ignore lint/suspicious/noExplicitAny: tests read results freely; a wrong access fails the test
  run(snippets: Snippets): Promise<any>
  /** Runs a snippet that fails. Returns the fields of its error, by their names in Python. */
  fail(snippets: Snippets): Promise<Record<string, unknown>>
}

export interface ClientSetup extends Setup {
  /** Returns an interpreter with the key of a new team, which calls through the proxy. */
  givenInterpreter(): Promise<Client>
}

/** Declares tests for each language, over a server in capture mode with a proxy in front of it. */
export function describeClients(declare: (setup: ClientSetup) => void): void {
  const server = useServer()
  for (const { language, isAbsent, title } of LANGUAGES) {
    describe.skipIf(isAbsent)(title, () => {
      const interpreters = createInterpreters(language)
      afterAll(() => interpreters.close())
      const givenInterpreter = async () => {
        const sender = await server.sendwright.givenSender()
        const interpreter = await interpreters.enter(server.proxy.url, sender.token)
        return { sender, ...callsOf(interpreter, language) }
      }
      declare(Object.assign(Object.create(server), { givenInterpreter }))
    })
  }
}

function callsOf(interpreter: Interpreter, language: Language): Omit<Client, 'sender'> {
  return {
    run: (snippets) => interpreter.run(snippets[language]),
    async fail(snippets) {
      const outcome = await interpreter.run(snippets[language]).catch((error) => error)
      if (!(outcome instanceof SnippetError)) throw new Error(`The snippet did not fail: ${outcome}`)
      const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return Object.fromEntries(Object.entries(outcome.fields).map(([name, value]) => [toSnake(name), value]))
    },
  }
}
