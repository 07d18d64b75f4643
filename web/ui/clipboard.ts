/**
 * Puts a text on the clipboard. Throws Error where the browser lets nobody. Browsers have `navigator.clipboard` only where
 * the connection is a safe one; many an installation is first looked at by http and a name of the house.
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
  if (!isCopied) throw new Error('This browser does not let pages copy: mark the text, and copy it by hand.')
}
