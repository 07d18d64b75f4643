import { ApiError } from '../../api/errors.ts'

/** Field of the editor to what is wrong with it. */
export type FieldErrors = Readonly<Record<string, string>>

/** What saving was refused for: `variables.0.key` is a description there. */
export const errorsOfSaving = (error: unknown): FieldErrors => readErrors(error, { variables: 'definitions' })

/** What a preview was refused for: `variables.NAME` is a value there. */
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
