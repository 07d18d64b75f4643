import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Resend } from 'resend'
import { expect } from 'vitest'

/** The type declarations of the installed Resend SDK. */
export const SDK_TYPES = fileURLToPath(new URL('./index.d.mts', import.meta.resolve('resend')))

/** Creates clients as programs do: with a key, and with the URL from the environment. */
export async function openResend(url: string): Promise<(key: string) => Resend> {
  process.env.RESEND_BASE_URL = url
  const sdk = await import('resend')
  return (key) => new sdk.Resend(key)
}

export function closeResend(): void {
  delete process.env.RESEND_BASE_URL
}

/** Returns the data of a response, which must not be an error. */
export async function good<T>(answer: PromiseLike<{ data: T | null; error: unknown }>): Promise<T> {
  const { data, error } = await answer
  expect(error).toBeNull()
  return data as T
}

type Method = (...args: unknown[]) => unknown

/** Calls one method by its path, for example `emails.send`. */
export function call(client: Resend, path: string, args: readonly unknown[]): unknown {
  const names = path.split('.')
  const last = names.pop() as string
  const owner = names.reduce<object>((object, name) => Reflect.get(object, name) as object, client)
  return (Reflect.get(owner, last) as Method).apply(owner, [...args])
}

/** Lists the paths of all public methods of the client and of its parts that use the client. */
export function listMethods(client: Resend): string[] {
  const hidden = privateNames()
  const walk = (owner: object, path: string): string[] => {
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(owner))
    const methods = own.filter((name) => name !== 'constructor' && !hidden.has(name))
    const parts = Object.entries(owner).filter(([, part]) => part?.resend === client)
    return [
      ...methods.map((name) => path + name),
      ...parts.flatMap(([name, part]) => walk(part, `${path}${name}.`)),
    ]
  }
  return walk(client, '')
}

/** Returns the private names. Only the types distinguish private methods. */
function privateNames(): Set<string> {
  const found = readFileSync(SDK_TYPES, 'utf8').matchAll(/^ {2}private (?:readonly )?(\w+)/gm)
  return new Set([...found].map((match) => match[1] as string))
}

/** One call and its response. */
export interface Answer {
  method: string
  data: unknown
}

/** Wraps the client, and passes each successful response to `hear`. */
export function overhear(client: Resend, hear: (answer: Answer) => void): Resend {
  const wrap = (owner: object, path: string): object =>
    new Proxy(owner, {
      get(_, name) {
        const value: unknown = Reflect.get(owner, name)
        const at = `${path}${String(name)}`
        if (typeof value === 'function') return listen(value.bind(owner) as Method, at)
        return (value as { resend?: unknown } | null)?.resend === client
          ? wrap(value as object, `${at}.`)
          : value
      },
    })
  const listen =
    (method: Method, path: string): Method =>
    (...args) => {
      const answer = method(...args)
      // Some results are thenables with additional methods, so the caller gets the unchanged result of the SDK.
      void Promise.resolve(answer).then((result) => {
        const data = (result as { data?: unknown } | null)?.data
        if (data != null) hear({ method: path, data })
      })
      return answer
    }
  return wrap(client, '') as Resend
}
