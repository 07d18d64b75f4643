import { isUuid } from '../lib/ids.ts'

/** Words of paths: letters and hyphens. A key, an address or a token has other characters or is longer. */
const WORD = /^[a-z]+(?:-[a-z]+)*$/
const WORD_LENGTH_MAX = 30
const SEGMENTS_MAX = 10
/** Stands for a part of a path that is not recorded. */
const HIDDEN = '*'
const PARAMETER = /:([A-Za-z]+)/g

/** Returns a route's path as the API document has it: `/emails/{id}`. */
export function documentedPath(routePath: string): string {
  return routePath.replaceAll(PARAMETER, '{$1}')
}

/**
 * Returns the path of a request for records, with ids but without anything that may be private: a contact, for example,
 * may be named by an address. Such a parameter keeps its name: `/contacts/{id}`.
 * @param routePath null if no route has the path; then only ids and plain words stay
 */
export function recordedPath(
  routePath: string | null,
  params: Readonly<Record<string, unknown>>,
  url: string,
): string {
  if (routePath !== null) {
    return routePath.replaceAll(PARAMETER, (_, name: string) => {
      const value = params[name]
      return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : `{${name}}`
    })
  }
  const [path = ''] = url.split('?', 1)
  const segments = path.split('/').slice(1, SEGMENTS_MAX + 1)
  return `/${segments.map(recordedSegment).join('/')}`
}

function recordedSegment(segment: string): string {
  const isPlain = segment.length <= WORD_LENGTH_MAX && WORD.test(segment)
  return segment === '' || isPlain || isUuid(segment) ? segment : HIDDEN
}
