import Type from 'typebox'
import { checkShape } from '../../http/json/shape.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { invalidField } from '../../lib/api-error.ts'
import type { AcceptEmails, BatchItem } from '../accept/accept-emails.ts'
import type { Idempotent } from '../idempotency/idempotency.ts'
import { type Idempotency, readIdempotency } from '../idempotency/idempotency-key.ts'
import type { SendRequest } from '../request/draft-email.ts'
import { Accepted, IDEMPOTENCY_HEADERS, SendInput } from './email-schemas.ts'

interface Deps {
  acceptEmails: AcceptEmails
  idempotent: Idempotent
}

const { route } = routesOf<Deps>()

const BATCH_BYTES_MAX = 100 * 1024 * 1024
const BATCH_COUNT_MAX = 100
const VALIDATIONS = ['strict', 'permissive'] as const
type Validation = (typeof VALIDATIONS)[number]

const BATCH_EXAMPLE = ['Ann', 'Bob'].map((name) => ({
  from: 'Acme <hello@example.com>',
  to: ['delivered@simulator.test'],
  subject: `Hello ${name}`,
  text: 'It works.',
}))

const BatchAccepted = Type.Object(
  {
    data: Type.Array(Accepted, { description: 'Accepted emails, in the order of the request.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          index: Type.Integer({ description: 'Index of the email in the request, from 0.' }),
          message: Type.String({ description: 'The first error message of the email.' }),
        }),
        {
          description: 'With `x-batch-validation: permissive`: the rejected emails.',
        },
      ),
    ),
  },
  { title: 'BatchResult' },
)

const bounds = { minItems: 1, maxItems: BATCH_COUNT_MAX }

const sendBatch = route('POST', '/emails/batch', {
  area: 'emails',
  permission: 'send',
  limit: 'send',
  operationId: 'sendBatch',
  summary: 'Send up to 100 emails',
  description:
    'Accepts all emails or none. If an email is invalid, the keys of `errors` begin with its index. With the header `x-batch-validation: permissive`, the valid emails are accepted and `errors` lists the others. For the rate limit and the `Idempotency-Key`, a batch is one request.',
  headers: {
    ...IDEMPOTENCY_HEADERS,
    'x-batch-validation': '`strict` (default) or `permissive`.',
  },
  body: Type.Array(SendInput, { ...bounds, examples: [BATCH_EXAMPLE] }),
  // Emails are validated one by one, so that an invalid email of a permissive batch does not reject the others.
  bodyCheck: Type.Array(Type.Unknown(), bounds),
  bodyBytesMax: BATCH_BYTES_MAX,
  hasBuffers: true,
  responses: {
    202: {
      description: 'The emails were accepted.',
      schema: BatchAccepted,
      example: {
        data: [
          { id: '0198c0de-0000-7000-8000-000000000001' },
          { id: '0198c0de-0000-7000-8000-000000000002' },
        ],
      },
    },
  },
  async handle({ caller, body, bodyHash, headers, deps }) {
    const validation = readValidation(headers['x-batch-validation'])
    const send = (idempotency: Idempotency | null) =>
      deps.acceptEmails(body.map(readItem), validation === 'strict', caller, idempotency)
    const key = readIdempotency(headers['idempotency-key'], body, bodyHash)
    const { emailIds, refused } =
      key === null ? await send(null) : await deps.idempotent(caller.teamId, key, send)
    const data = emailIds.map((id) => ({ id }))
    const errors = refused.map(({ index, message }) => ({ index, message }))
    // A key may return the earlier answer of a permissive request, whose refused emails must be listed in
    // strict mode too.
    const isPlain = validation === 'strict' && refused.length === 0
    return { status: 202, json: isPlain ? { data } : { data, errors } }
  },
})

function readValidation(header: string | string[] | undefined): Validation {
  const validation = VALIDATIONS.find((name) => name === (header ?? 'strict'))
  if (validation !== undefined) return validation
  throw invalidField('x-batch-validation', 'The x-batch-validation header must be one of strict, permissive.')
}

function readItem(item: unknown): BatchItem {
  const errors = checkShape(SendInput, item)
  return errors === null ? { request: item as SendRequest } : { errors }
}

export const emailBatchRoutes: readonly Route<Deps>[] = [sendBatch]
