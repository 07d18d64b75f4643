import createPurifier from 'dompurify'

/** Legacy attributes for colours and margins, which emails use and DOMPurify does not allow by default. */
const OLD_ATTRIBUTES = [
  ...[
    'link',
    'vlink',
    'alink',
    'text',
    'marginwidth',
    'marginheight',
    'leftmargin',
    'topmargin',
    'rightmargin',
  ],
  ...['bottommargin', 'hspace', 'vspace', 'bordercolor', 'rules', 'frame', 'compact', 'charoff', 'axis'],
]

const OPTIONS = {
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true as const,
  FORBID_TAGS: ['audio', 'source', 'track', 'template'],
  FORBID_ATTR: [
    ...['name', 'action', 'formaction', 'srcset', 'autofocus', 'autoplay', 'ping', 'target'],
    ...['popovertarget', 'command', 'commandfor'],
  ],
  ADD_ATTR: OLD_ATTRIBUTES,
  // A later step replaces images and keeps only their data: URLs.
  ADD_URI_SAFE_ATTR: ['background', 'poster'],
  ADD_DATA_URI_TAGS: ['input', 'feimage'],
}

const purifier = createPurifier(window)
purifier.addHook('beforeSanitizeElements', (node) => {
  if (node instanceof HTMLStyleElement) node.textContent = withoutMarkup(node.textContent)
})

/**
 * Returns CSS without anything that looks like markup, because DOMPurify removes such style sheets whole. CSS ignores the
 * comment marks that emails put around theirs, and a space after `<` changes no rule elsewhere.
 */
const withoutMarkup = (css: string) => css.replaceAll(/<!--|-->/g, ' ').replaceAll(/<(?=[/\w!])/g, '< ')

/** Returns the html as an inert document without scripts: it runs nothing and fetches nothing. */
export function purify(html: string): Document {
  return purifier.sanitize(html.trimStart(), OPTIONS).ownerDocument ?? parse('')
}

/** Parses html into an inert document, which runs nothing and fetches nothing. */
export const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')

/** Serializes the document. An email without a doctype stays in quirks mode, as in mail programs. */
export const write = (page: Document): string =>
  (page.doctype === null ? '' : '<!doctype html>') + page.documentElement.outerHTML

/**
 * Returns the html without names that clobber properties of its document or forms (DOM clobbering): a field named
 * `attributes` hides `form.attributes`. DOMPurify would remove such a form with all its text. This function calls methods
 * by their prototypes, because the document's own may be clobbered.
 */
export function withoutClobbering(html: string): string {
  const page = parse(html)
  const form = document.createElement('form')
  for (const element of Document.prototype.querySelectorAll.call(page, '[name], [id]')) {
    const id = Element.prototype.getAttribute.call(element, 'id')
    Element.prototype.removeAttribute.call(element, 'name')
    if (id !== null && (id in form || id in document)) Element.prototype.removeAttribute.call(element, 'id')
  }
  return write(page)
}
