/** Returns the response with its whole body in memory. Throws TypeError if the body has more than `bytesMax` bytes. */
export async function readBounded(response: Response, bytesMax: number): Promise<Response> {
  const parts: Uint8Array[] = []
  const reader = response.body?.getReader()
  let bytes = 0
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > bytesMax) {
      await reader?.cancel()
      throw new TypeError(`${response.url} sent more than ${bytesMax} bytes`)
    }
    parts.push(part.value)
  }
  const { status, headers } = response
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers })
}
