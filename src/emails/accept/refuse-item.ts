import { ApiError, type FieldErrors, WHOLE_BODY } from '../../lib/api-error.ts'

/** Converts an error of one email to an error of its batch: `from` becomes `3.from`. */
export function refuseItem(index: number, apiError: ApiError): ApiError {
  if (apiError.errors === undefined) return apiError
  const errors: FieldErrors = {}
  for (const [field, messages] of Object.entries(apiError.errors)) {
    // An error of the whole email has an empty path (http/json/shape.ts).
    const path = field === '' ? String(index) : `${index}.${field}`
    const subject = field === '' ? WHOLE_BODY : `The ${field} field`
    // Replaced by a function: a caller may choose the field's name, and `$&` in it has a meaning in a
    // replacement string.
    errors[path] = messages.map((message) => message.replace(subject, () => `The ${path} field`))
  }
  return new ApiError(apiError.code, Object.values(errors)[0]?.[0] ?? apiError.message, {
    errors,
    ...(apiError.hint === undefined ? {} : { hint: apiError.hint }),
  })
}
