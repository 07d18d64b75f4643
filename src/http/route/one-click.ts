const FIELD = 'list-unsubscribe'
const VALUE = 'one-click'
const MULTIPART = /^multipart\/form-data\s*(?:;|$)/i
const URL_ENCODED = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
/** The type that some mail programs and proxies send, or leave out. */
const UNTYPED = /^(?:$|text\/plain\s*(?:;|$))/i

/**
 * Returns whether a body is a one-click unsubscribe request (RFC 8058 section 3.2): a URL-encoded or multipart form with
 * the pair List-Unsubscribe=One-Click, in any case, or that pair alone as plain text or without a type. Any other body may
 * come from a scanner that follows links by POST.
 * @param body the bytes of the body; any other value is not a form
 */
export async function isOneClick(contentType: string, body: unknown): Promise<boolean> {
  if (!Buffer.isBuffer(body)) return false
  const type = contentType.trim()
  if (MULTIPART.test(type)) return hasPair(await readMultipart(type, body))
  const pairs = [...new URLSearchParams(body.toString('latin1').trim())]
  return (URL_ENCODED.test(type) || (UNTYPED.test(type) && pairs.length === 1)) && hasPair(pairs)
}

async function readMultipart(type: string, body: Buffer): Promise<[string, unknown][]> {
  try {
    const headers = { 'content-type': type }
    return [...(await new Response(new Uint8Array(body), { headers }).formData())]
  } catch {
    // A malformed form is not a one-click request.
    return []
  }
}

function hasPair(pairs: readonly (readonly [string, unknown])[]): boolean {
  return pairs.some(
    ([name, value]) =>
      name.toLowerCase() === FIELD && typeof value === 'string' && value.trim().toLowerCase() === VALUE,
  )
}
