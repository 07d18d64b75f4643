import { ApiError } from '../api/errors.ts'

interface Form {
  setErrors(errors: Record<string, string>): void
}

/** Puts the API's words beside the fields that they are about. `names`: where the form calls a field otherwise. */
export function showFieldErrors(
  form: Form,
  error: unknown,
  names: Readonly<Record<string, string>> = {},
): void {
  if (!(error instanceof ApiError)) return
  const entries = Object.entries(error.fields).map(([field, messages]) => [
    names[field] ?? field,
    messages.join(' '),
  ])
  form.setErrors(Object.fromEntries(entries))
}
