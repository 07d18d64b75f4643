/** Text as HTML, in element content and in attributes. */
export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Our descriptions use one mark: back-ticks around code. */
export function inline(text: unknown): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** A description of one or more paragraphs, with an empty line between them. */
export function paragraphs(text: unknown): string {
  return String(text)
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('')
}

/** A JSON value, or a text, as a block of code. */
export function codeBlock(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<pre><code>${escapeHtml(text)}</code></pre>`
}
