import { ApiError } from '../../../api/errors.ts'

/** The message about each field of the editor. */
export type FieldErrors = Readonly<Record<string, string>>

/** Returns the errors of saving. There, `variables.0.key` is a declaration. */
export const errorsOfSaving = (error: unknown): FieldErrors => readErrors(error, { variables: 'definitions' })

/** Returns the errors of a preview. There, `variables.NAME` is a test value. */
export const errorsOfPreview = (error: unknown): FieldErrors =>
  readErrors(error, { variables: 'values', variable_definitions: 'definitions' })

function readErrors(error: unknown, names: Readonly<Record<string, string>>): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  const entries = Object.entries(error.fields).map(([field, messages]) => {
    const [first = '', ...rest] = field.split('.')
    return [[names[first] ?? first, ...rest].join('.'), messages.join(' ')]
  })
  return Object.fromEntries(entries)
}
