import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js'

/** A response as received over HTTP. */
export interface Witnessed {
  method: string
  /** Includes the query. */
  path: string
  status: number
  headers: Headers
  json: unknown
}

export interface ContractJudge {
  /** Records a response for validation: the first few of each operation and status. */
  witness(answer: Witnessed): void
  /** Returns the number of operations and statuses seen, and the violations of the document in their responses. */
  validate(): Promise<{ count: number; complaints: string[] }>
}

const EACH_COUNT_MAX = 3

/** Validates responses against an API's OpenAPI document, with the validator of Prism. */
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
    async validate() {
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

/** Returns the violation of a response, if any. */
function complainOf({ method, path, status, headers, json }: Witnessed, forms: OperationForm[]): string[] {
  const plain = new URL(path).pathname.replace(/^\/v1(?=\/)/, '')
  const fitting = forms.filter(({ form }) => form.test(plain))
  // A concrete path takes precedence over templated ones, whatever the method (OpenAPI 3.1, Paths Object).
  const concrete = fitting.filter(({ operation }) => operation.path === plain)
  const found = (concrete.length > 0 ? concrete : fitting).find(
    ({ operation }) => operation.method === method.toLowerCase(),
  )
  // A request that is not a documented operation is rejected (401, 404, 405, 413 ...) with the common error body.
  if (found === undefined) return status < 400 ? ['not in the document'] : []
  // A `default` describes errors: a success has its own entry.
  const isListed = found.operation.responses.some(({ code }) => code === String(status))
  if (status < 400 && !isListed) return ['not a status of the operation']
  const element = { statusCode: status, headers: Object.fromEntries(headers), body: json }
  const verdict = validateOutput({ resource: found.operation, element })
  return verdict._tag === 'Left' ? [JSON.stringify(verdict.left)] : []
}

/** Returns a path without its variable parts, to group responses by kind. */
function bareForm(path: string): string {
  return new URL(path).pathname
    .split('/')
    .map((part) => (/^[a-z-]+$/.test(part) ? part : part === '' ? '' : '*'))
    .join('/')
}

/**
 * Returns a pattern for a documented path. Static paths precede those with parameters in the document, as in routing.
 */
function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
