import { type FieldErrors, Refusal, WHOLE_BODY } from '../../lib/refusal.ts'

/** What speaks against one email, said of the batch that holds it: `from` becomes `3.from`. */
export function refuseItem(index: number, refusal: Refusal): Refusal {
  if (refusal.errors === undefined) return refusal
  const errors: FieldErrors = {}
  for (const [field, messages] of Object.entries(refusal.errors)) {
    // An error of the whole email has an empty path (http/json/shape.ts).
    const path = field === '' ? String(index) : `${index}.${field}`
    const subject = field === '' ? WHOLE_BODY : `The ${field} field`
    // By a function: a field may be named by the caller, and hold what a text to put in has a meaning for (`$&`).
    errors[path] = messages.map((message) => message.replace(subject, () => `The ${path} field`))
  }
  return new Refusal(refusal.refusal, Object.values(errors)[0]?.[0] ?? refusal.message, { errors })
}
