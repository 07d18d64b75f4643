/** A tag of an email, as the API returns it. */
interface Tag {
  name: string
  value: string
}

/** Returns a tag for people. */
export function showTag({ name, value }: Tag): string {
  return value === '' ? name : `${name}: ${value}`
}

/** Returns the filter of the emails with a tag. The API divides `name:value` at the first colon. */
export function tagFilter({ name, value }: Tag): Record<string, string> {
  return name.includes(':') ? { tag: name, tag_value: value } : { tag: `${name}:${value}` }
}

/** Reads the key of a tag in the metrics, in whose name the colon and the percent sign are encoded. */
export function readTagKey(key: string): Tag {
  const [name = '', value = ''] = key.split(/:(.*)/s)
  return { name: name.replace(/%3A|%25/g, decodeURIComponent), value }
}
