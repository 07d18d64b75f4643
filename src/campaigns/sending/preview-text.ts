import { findBodyStart } from '../../mime/html/body-start.ts'
import {
  type CompiledTemplate,
  compileText,
  escapeHtml,
  type TemplateText,
} from '../../templates/render-template.ts'
import type { VersionContent } from '../rows/runs-queries.ts'

/** Each client ignores some of these declarations. */
const START =
  '<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">'
const END = '</div>'
/**
 * Clients fill the line behind the subject, up to about 140 characters, with the beginning of the html. Spaces that nothing
 * collapses, because characters without width are between them, leave no room for the text of the body.
 */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(140)

/**
 * Returns the content with the preview text, hidden, at the start of the body. The text is not HTML: it is escaped, as are all
 * values of its placeholders. Without html, clients show the beginning of the text instead.
 */
export function withPreviewText(
  compiled: CompiledTemplate,
  { html, previewText }: Pick<VersionContent, 'html' | 'previewText'>,
): CompiledTemplate {
  if (html === null || html === '' || previewText === null) return compiled
  const at = findBodyStart(html)
  const hidden = escaped(compileText(previewText))
  return {
    ...compiled,
    html: joinTexts([
      compileText(html.slice(0, at)),
      literal(START),
      hidden,
      literal(PADDING + END),
      compileText(html.slice(at)),
    ]),
  }
}

const literal = (text: string): TemplateText => ({ literals: [text], places: [], slots: [] })

function escaped({ literals, places, slots }: TemplateText): TemplateText {
  return {
    literals: literals.map(escapeHtml),
    places: places.map(({ slot }) => ({ slot, isRaw: false })),
    slots,
  }
}

function joinTexts(texts: readonly TemplateText[]): TemplateText {
  const literals: string[] = ['']
  const places: { slot: number; isRaw: boolean }[] = []
  const slots: TemplateText['slots'][number][] = []
  for (const text of texts) {
    const before = slots.length
    for (const [index, part] of text.literals.entries()) {
      if (index === 0) literals[literals.length - 1] += part
      else literals.push(part)
    }
    for (const { slot, isRaw } of text.places) places.push({ slot: slot + before, isRaw })
    for (const slot of text.slots) slots.push(slot)
  }
  return { literals, places, slots }
}
