/**
 * Copies the text to the clipboard. Throws Error when the browser does not allow it. Browsers provide
 * `navigator.clipboard` only in secure contexts, and many installations are first opened over HTTP by a local name.
 */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text)
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  if (!isCopied)
    throw new Error('This browser does not allow pages to copy. Select the text and copy it yourself.')
}
