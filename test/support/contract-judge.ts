import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'

/** An answer as it came over HTTP. */
export interface Witnessed {
  method: string
  /** With its query. */
  path: string
  status: number
  headers: Headers
  json: unknown
}

export interface ContractJudge {
  /** Remembers an answer to be judged; of each operation and status the first few. */
  witness(answer: Witnessed): void
  /** How many operations and statuses were seen, and what in their answers the document does not know. */
  judge(): Promise<{ count: number; complaints: string[] }>
}

const EACH_COUNT_MAX = 3

/** Holds answers against an API's own OpenAPI document, by the validator of Prism, which knows nothing else of it. */
export function createContractJudge(): ContractJudge {
  const kinds = new Map<string, Witnessed[]>()
  let url = ''
  return {
    witness(answer) {
      url ||= answer.path.startsWith('http') ? new URL(answer.path).origin : url
      const kind = `${answer.method} ${bareForm(answer.path)} ${answer.status}`
      const answers = kinds.get(kind) ?? []
      kinds.set(kind, answers)
      if (answers.length < EACH_COUNT_MAX) answers.push(answer)
    },
    async judge() {
      const operations = await getHttpOperationsFromSpec(`${url}/openapi.json`)
      const forms = operations.map((operation) => ({ operation, form: formOf(operation.path) }))
      const complaints = [...kinds].flatMap(([kind, answers]) =>
        answers.flatMap((answer) => complainOf(answer, forms).map((complaint) => `${kind}: ${complaint}`)),
      )
      return { count: kinds.size, complaints }
    },
  }
}

interface OperationForm {
  operation: Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number]
  form: RegExp
}

/** What the document says against an answer: nothing, or one complaint. */
function complainOf({ method, path, status, headers, json }: Witnessed, forms: OperationForm[]): string[] {
  const plain = new URL(path).pathname.replace(/^\/v1(?=\/)/, '')
  const fitting = forms.filter(({ form }) => form.test(plain))
  // A concrete path is matched before its templated counterparts, whatever the method (OpenAPI 3.1, Paths Object).
  const concrete = fitting.filter(({ operation }) => operation.path === plain)
  const found = (concrete.length > 0 ? concrete : fitting).find(
    ({ operation }) => operation.method === method.toLowerCase(),
  )
  // What is no operation of the document is refused: 401, 404, 405, 413 ... with the body of every error.
  if (found === undefined) return status < 400 ? ['not in the document'] : []
  const element = { statusCode: status, headers: Object.fromEntries(headers), body: json }
  const verdict = validateOutput({ resource: found.operation, element })
  return verdict._tag === 'Left' ? [JSON.stringify(verdict.left)] : []
}

/** A path without what changes from one request to the next, so that answers can be told apart by kind. */
function bareForm(path: string): string {
  return new URL(path).pathname
    .split('/')
    .map((part) => (/^[a-z-]+$/.test(part) ? part : part === '' ? '' : '*'))
    .join('/')
}

/** Static paths are before those with parameters in the document, as routes are found. */
function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
