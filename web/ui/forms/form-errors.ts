import { ApiError } from '../../api/errors.ts'

interface Form {
  setErrors(errors: Record<string, string>): void
}

/** Shows the API's messages next to their fields. `names` maps fields of the API to fields of the form. */
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

/**
 * Shows the first field whose content the browser cannot read, such as a date without its year, and returns whether there is
 * one. The value of such a field is empty, which would count as no limit.
 */
export function showUnreadable(form: HTMLFormElement): boolean {
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.validity.badInput) return !field.reportValidity()
  }
  return false
}
