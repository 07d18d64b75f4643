const FIELD = 'List-Unsubscribe'
const VALUE = 'One-Click'
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i

/**
 * Returns whether a body is a one-click unsubscribe request (RFC 8058 section 3.2): a URL-encoded or multipart form with
 * the pair List-Unsubscribe=One-Click. Any other body may come from a scanner that follows links by POST.
 * @param body the bytes of the body; any other value is not a form
 */
export async function isOneClick(contentType: string, body: unknown): Promise<boolean> {
  if (!Buffer.isBuffer(body) || !FORM.test(contentType)) return false
  try {
    const headers = { 'content-type': contentType }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const value = form.get(FIELD)
    return typeof value === 'string' && value.trim() === VALUE
  } catch {
    // A malformed form is not a one-click request.
    return false
  }
}
