/** A text as part of a pattern of `like`, in which it means nothing but itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
