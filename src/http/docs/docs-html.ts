/** Escapes text for element content and attributes. */
export function escapeText(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Renders a description. Our descriptions use one mark: back-ticks around code. */
export function inline(text: unknown): string {
  return escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** Renders a description of one or more paragraphs, separated by empty lines. */
export function paragraphs(text: unknown): string {
  return String(text)
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('')
}

/** Renders a JSON value or a text as a code block. */
export function codeBlock(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `<pre><code>${escapeText(text)}</code></pre>`
}
