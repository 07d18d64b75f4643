import { Tokenizer } from 'htmlparser2'

/**
 * Numbers may end without a semicolon; so may names, before any character that cannot continue them except an equals
 * sign.
 */
const REFERENCE = /&(?:#[xX][0-9A-Fa-f]+;?|#[0-9]+;?|[A-Za-z][A-Za-z0-9]*(?:;|(?![A-Za-z0-9=])))/g

/**
 * Decodes the character references in an attribute's value as browsers do (HTML, section 13.2.5.73): `?a=1&copy=2` and
 * `?a=1&parallel=2` contain none, although `&copy` and `&para` alone would be.
 */
export function decodeReferences(value: string): string {
  if (!value.includes('&')) return value
  const known = new Map<string, string>([['&amp;', '&']])
  return value.replace(REFERENCE, (reference) => {
    let text = known.get(reference)
    if (text === undefined) {
      text = decodeOne(reference)
      known.set(reference, text)
    }
    return text
  })
}

/** Returns the text itself when it is not a complete reference. */
function decodeOne(reference: string): string {
  let text = ''
  let isWhole = true
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onattribentity(codePoint) {
        text += String.fromCodePoint(codePoint)
      },
      onattribdata(from, to) {
        if (to > from) isWhole = false
      },
      onattribname: ignore,
      onattribend: ignore,
      onopentagname: ignore,
      onopentagend: ignore,
      onselfclosingtag: ignore,
      onclosetag: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  )
  tokenizer.write(`<a href="${reference}">`)
  tokenizer.end()
  return isWhole ? text : reference
}
