import Type from 'typebox'
import { invalidField } from '../../lib/api-error.ts'

/** The longest `name:value`: the limits of a tag and the colon. */
const TAG_CHARS_MAX = 513

/** The query parameters that name a tag. */
export const TAG_PARAMETERS = {
  tag: Type.Optional(
    Type.String({ maxLength: TAG_CHARS_MAX, description: 'With this tag: `name:value`, or a name.' }),
  ),
  tag_value: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'The value, if `tag` is a name, which may then contain colons.',
    }),
  ),
}

/**
 * Reads the tag of a query, which is divided at its first colon unless its value stands alone. The value is null if only
 * a name is given. Throws ApiError (422) for a value without a name.
 */
export function readTagFilter({
  tag,
  tag_value: tagValue,
}: {
  tag?: string
  tag_value?: string
}): { name: string; value: string | null } | null {
  if (tag === undefined) {
    if (tagValue !== undefined) throw invalidField('tag', 'The tag field is required.')
    return null
  }
  if (tagValue !== undefined) return { name: tag, value: tagValue }
  const [name = '', value = null] = tag.split(/:(.*)/s)
  return { name, value }
}
