import { compileText, escapeHtml, type TemplateText } from '../../templates/render-template.ts'

const STYLE =
  'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all'
/**
 * Mail clients show about 150 characters of the body after the subject. A combining grapheme joiner, a zero-width non-joiner and a
 * space are not seen, and not collapsed, so that the body does not follow a short text.
 */
const FILLER = '&#847;&#8204;&#160;'
const FILLER_COUNT = 150

/**
 * Returns HTML that shows a preview text in the list of an inbox and nowhere else. Placeholders in the text are rendered and, even
 * those with three braces, escaped.
 */
export function compileWithPreview(html: string, previewText: string): TemplateText {
  const at = startOfBody(html)
  const preview = compileText(previewText)
  const hidden: TemplateText = {
    ...preview,
    literals: preview.literals.map(escapeHtml),
    places: preview.places.map(({ slot }) => ({ slot, isRaw: false })),
  }
  return concatenate([
    compileText(html.slice(0, at)),
    compileText(`<div style="${STYLE}">`),
    hidden,
    compileText(`${FILLER.repeat(FILLER_COUNT)}</div>`),
    compileText(html.slice(at)),
  ])
}

/** Joins texts. A slot that several have is listed as often. */
function concatenate(texts: readonly TemplateText[]): TemplateText {
  const joined = {
    literals: [''],
    places: [] as { slot: number; isRaw: boolean }[],
    slots: [] as TemplateText['slots'][number][],
  }
  for (const { literals, places, slots } of texts) {
    const offset = joined.slots.length
    joined.slots.push(...slots)
    for (const { slot, isRaw } of places) joined.places.push({ slot: slot + offset, isRaw })
    const [first = '', ...rest] = literals
    joined.literals.push(`${joined.literals.pop()}${first}`)
    for (const literal of rest) joined.literals.push(literal)
  }
  return joined
}

/** Comments, and the tags that content of the body follows. */
const TAGS = /<!--|<body(?=[\s/>])|<\/head\s*>|<html(?=[\s/>])|<!doctype(?=[\s>])/gi

/** Returns where the content of the body begins: after its tag, or else after what precedes a body. */
function startOfBody(html: string): number {
  TAGS.lastIndex = 0
  let start = 0
  for (let tag = TAGS.exec(html); tag !== null; tag = TAGS.exec(html)) {
    if (tag[0] === '<!--') {
      const end = html.indexOf('-->', TAGS.lastIndex)
      if (end === -1) return start
      TAGS.lastIndex = end
      continue
    }
    const end = endOfTag(html, tag.index)
    if (end === null) return start
    start = end
    TAGS.lastIndex = end
    if (tag[0].toLowerCase() === '<body') return start
  }
  return start
}

/** Returns the position after a tag, whose attributes may contain `>` in quotes; null if it does not end. */
function endOfTag(html: string, from: number): number | null {
  let quote = ''
  for (let at = from; at < html.length; at++) {
    const character = html[at] as string
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at + 1
  }
  return null
}
