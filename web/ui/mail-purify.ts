import createPurifier from 'dompurify'

/** Old attributes of emails that the purifier does not know, which set colours and margins. */
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
  // Pictures are replaced afterwards, and only data: URLs of pictures stay.
  ADD_URI_SAFE_ATTR: ['background', 'poster'],
  ADD_DATA_URI_TAGS: ['input', 'feimage'],
}

const purifier = createPurifier(window)
purifier.addHook('beforeSanitizeElements', (node) => {
  if (node instanceof HTMLStyleElement) node.textContent = withoutMarkup(node.textContent)
})

/**
 * Style sheets in which markup hides are removed whole. Emails put theirs into comments, which CSS ignores; elsewhere a
 * blank behind `<` changes no rule.
 */
const withoutMarkup = (css: string) => css.replaceAll(/<!--|-->/g, ' ').replaceAll(/<(?=[/\w!])/g, '< ')

/** Returns the document of the html without anything that runs. It is inert: it runs nothing and fetches nothing. */
export function purify(html: string): Document {
  return purifier.sanitize(html.trimStart(), OPTIONS).ownerDocument ?? parse('')
}

/** A document of this kind runs nothing and fetches nothing while it is worked on. */
export const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')

/** An email without a doctype is shown as browsers show old pages, as mail programs do. */
export const write = (page: Document): string =>
  (page.doctype === null ? '' : '<!doctype html>') + page.documentElement.outerHTML

/**
 * Returns the html without names that hide properties of its document or forms (DOM clobbering): `form.attributes` is a
 * field by that name. The purifier would remove such a form with all its words. Methods are called by their prototypes
 * here, because the document's own may be hidden.
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
