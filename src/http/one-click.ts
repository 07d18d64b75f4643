const FIELD = 'List-Unsubscribe'
const VALUE = 'One-Click'
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i

/**
 * Returns whether a body is the one that mail programs post to unsubscribe (RFC 8058 section 3.2): a form of either kind
 * with the pair List-Unsubscribe=One-Click. Anything else may come from a scanner that follows links by POST.
 * @param body its bytes; another value is none of a form
 */
export async function isOneClick(contentType: string, body: unknown): Promise<boolean> {
  if (!Buffer.isBuffer(body) || !FORM.test(contentType)) return false
  try {
    const headers = { 'content-type': contentType }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const value = form.get(FIELD)
    return typeof value === 'string' && value.trim() === VALUE
  } catch {
    // A form that cannot be read says nothing.
    return false
  }
}
