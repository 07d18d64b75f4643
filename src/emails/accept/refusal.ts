import { ApiError, type ApiErrorName, type FieldErrors } from '../../lib/api-error.ts'

/**
 * Why an email was refused although it is well-formed. The code is for callers inside the program, because messages may change.
 * - `not_permitted`: its origin does not permit it now.
 * - `no_mail`: its recipient is suppressed or has unsubscribed.
 * - The others apply to every email of the account, or of the domain, until somebody changes that.
 */
export type RefusalCode =
  | 'not_permitted'
  | 'no_mail'
  | 'sending_paused'
  | 'domain_unverified'
  | 'quota_exceeded'

/** The message of `no_mail`. Campaigns store it as the reason, and look for it among their recipients. */
export const NO_MAIL_MESSAGE = 'The recipient is suppressed or has unsubscribed.'

/** An ApiError with the code of a refusal. */
export class Refusal extends ApiError {
  readonly refusal: RefusalCode

  constructor(
    refusal: RefusalCode,
    code: ApiErrorName,
    message: string,
    detail: { errors?: FieldErrors } = {},
  ) {
    super(code, message, detail)
    this.refusal = refusal
  }
}
