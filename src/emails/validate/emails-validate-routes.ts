import Type, { type Static } from 'typebox'
import { type Route, routesOf } from '../../http/route/route.ts'
import { TextOrNull, Timestamp } from '../../http/route/schemas.ts'
import { invalidField } from '../../lib/api-error.ts'
import { formatTime } from '../../lib/time/format-time.ts'
import type { ValidateAddress, Validation } from './validate-address.ts'

interface Deps {
  validateAddress: ValidateAddress
}

const { route } = routesOf<Deps>()

const ValidateInput = Type.Object(
  {
    email: Type.String({
      description:
        'An address without a display name. Surrounding spaces are ignored. Text that is not an address returns the `block_reason` `invalid_syntax`.',
    }),
  },
  { examples: [{ email: 'ann@example.com' }] },
)

const yesOrNo = (description: string) => Type.Boolean({ description })
const orNull = (description: string) => Type.Union([Type.Boolean(), Type.Null()], { description })

const Evaluations = Type.Object(
  {
    has_valid_syntax: yesOrNo('Whether the syntax is valid for sending.'),
    has_valid_dns: orNull(
      'Whether the domain accepts mail: it has an MX or address record, and no null MX. False for an invalid syntax. Null if DNS did not respond within 3 seconds.',
    ),
    mailbox_exists: orNull(
      'Whether the server of the domain knows the mailbox. Null without a reliable reply, and unless the operator has set `SENDWRIGHT_VALIDATE_SMTP`.',
    ),
    is_role_address: yesOrNo(
      'Whether the address belongs to a function (info, sales, postmaster), not to a person.',
    ),
    is_disposable: yesOrNo('Whether the domain provides disposable mailboxes.'),
    is_random_input: yesOrNo('Whether the local part looks like random input or a code.'),
  },
  { title: 'AddressEvaluations' },
)

const ValidationAnswer = Type.Object(
  {
    email: Type.String({ description: 'Address as given.' }),
    is_valid: yesOrNo('False if the syntax or the domain is invalid, or the mailbox is known not to exist.'),
    evaluations: Evaluations,
    should_block: yesOrNo('Whether `block_reason` is set.'),
    block_reason: Type.Union([Type.Enum(['invalid_syntax', 'invalid', 'disposable_email']), Type.Null()], {
      description:
        'The first of these that applies. `invalid`: the domain accepts no mail, its server does not know the address, or your own mail to it bounced permanently.',
    }),
    validated_at: Timestamp,
    verdict: Type.Enum(['deliverable', 'risky', 'undeliverable', 'unknown'], {
      description:
        '`undeliverable`: `block_reason` is `invalid_syntax` or `invalid`. `risky`: a role, disposable, or random address, a probable typo, or a domain that accepts every address. `unknown`: DNS or the server did not respond. `deliverable`: none of these.',
    }),
    did_you_mean: TextOrNull('A suggested correction if the domain looks mistyped.'),
    has_known_bounce: yesOrNo(
      "Whether your team's mail to the address bounced permanently, with no delivery since.",
    ),
    is_free_provider: yesOrNo('Whether anyone can get a mailbox at this domain (gmail.com, gmx.de).'),
  },
  { title: 'AddressValidation' },
)

function validationToJson(validation: Validation): Static<typeof ValidationAnswer> {
  return {
    email: validation.email,
    is_valid: validation.isValid,
    evaluations: {
      has_valid_syntax: validation.hasValidSyntax,
      has_valid_dns: validation.hasValidDns,
      mailbox_exists: validation.mailboxExists,
      is_role_address: validation.isRoleAddress,
      is_disposable: validation.isDisposable,
      is_random_input: validation.isRandomInput,
    },
    should_block: validation.blockReason !== null,
    block_reason: validation.blockReason,
    validated_at: formatTime(validation.validatedAt),
    verdict: validation.verdict,
    did_you_mean: validation.didYouMean,
    has_known_bounce: validation.hasKnownBounce,
    is_free_provider: validation.isFreeProvider,
  }
}

const validateEmail = route('POST', '/emails/validate', {
  changesNothing: true,
  area: 'emails',
  permission: 'send',
  limit: 'validate',
  operationId: 'validateAddress',
  summary: 'Validate an email address',
  description:
    'Checks an address without sending to it: syntax, domain, kind of address, and whether your mail to it bounced. An invalid address is a result; only a missing or non-string `email` returns 422. Limit: 60 requests per minute on every plan.',
  body: ValidateInput,
  // Text that is not valid Unicode (U+0000, an unpaired surrogate) gets a result too: it is not an address.
  bodyCheck: Type.Object({}),
  responses: {
    200: {
      description: 'The result of the validation.',
      schema: ValidationAnswer,
      example: {
        email: 'ann@gmial.com',
        is_valid: true,
        evaluations: {
          has_valid_syntax: true,
          has_valid_dns: true,
          mailbox_exists: null,
          is_role_address: false,
          is_disposable: false,
          is_random_input: false,
        },
        should_block: false,
        block_reason: null,
        validated_at: '2026-03-14 09:26:53',
        verdict: 'risky',
        did_you_mean: 'ann@gmail.com',
        has_known_bounce: false,
        is_free_provider: false,
      },
    },
  },
  async handle({ caller, body, deps }) {
    const validation = await deps.validateAddress(caller.teamId, readEmail(body))
    return { status: 200, json: validationToJson(validation) }
  },
})

function readEmail(body: { email?: unknown }): string {
  // Own properties only: a body inherits nothing.
  const email = Object.hasOwn(body, 'email') ? body.email : null
  if (email === null) throw invalidField('email', 'The email field is required.')
  if (typeof email !== 'string') throw invalidField('email', 'The email field must be a string.')
  return email
}

export const emailValidateRoutes: readonly Route<Deps>[] = [validateEmail]
