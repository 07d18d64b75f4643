import { Marked, type Tokens } from 'marked'
import { escapeText } from '../src/http/docs/docs-html.ts'
import { groupExamples, languageOf } from './group-examples.ts'
import { highlight } from './highlight.ts'
import type { Heading } from './page.ts'

export interface Rendered {
  html: string
  headings: Heading[]
}

/** Cells of tables up to this length, such as dates and names, stay on one line. */
const UNBROKEN_CHARS_MAX = 14

/**
 * Returns a document as HTML. Headings get the ids that GitHub gives them, so links work in both places. Markup in the
 * document is shown as text.
 * @param resolveLink returns the URL of a link or an image, or null to show only its text
 */
export function renderMarkdown(text: string, resolveLink: (href: string) => string | null): Rendered {
  const headings: Heading[] = []
  const takeId = createIds()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text: title }: Tokens.Heading): string {
        const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
        const id = takeId(plain)
        if (depth > 1) headings.push({ id, title: plain, depth })
        const inner = this.parser.parseInline(tokens)
        const anchor =
          depth === 1
            ? ''
            : ` <a class="anchor" href="#${id}" aria-label="Link to ${escapeText(plain)}">#</a>`
        return `<h${depth} id="${id}">${inner}${anchor}</h${depth}>\n`
      },
      code({ text: code, lang = '' }: Tokens.Code): string {
        const [language = ''] = lang.split(' ')
        const name = languageOf(lang)
        const caption = name === null ? '' : `<p class="language">${name}</p>`
        return `<div class="code">${caption}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens)
        const url = resolveLink(href)
        if (url === null) return inner
        const relation = /^https?:/.test(url) ? ' rel="noreferrer"' : ''
        return `<a href="${escapeText(url)}"${relation}>${inner}</a>`
      },
      image({ href, text: alternative }: Tokens.Image): string {
        const url = resolveLink(href)
        if (url === null || /^[a-z]+:/i.test(url)) return escapeText(alternative)
        return `<img src="${escapeText(url)}" alt="${escapeText(alternative)}" loading="lazy">`
      },
      table(token: Tokens.Table): string {
        const cell = ({ text: content, tokens }: Tokens.TableCell, tag: string) => {
          const mark = content.length <= UNBROKEN_CHARS_MAX ? ' class="short"' : ''
          return `<${tag}${mark}>${this.parser.parseInline(tokens)}</${tag}>`
        }
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((each) => cell(each, tag)).join('')}</tr>`
        const head = token.header.some(({ text: title }) => title !== '') ? row(token.header, 'th') : ''
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="wide" tabindex="0"><table>${head && `<thead>${head}</thead>`}<tbody>${body}</tbody></table></div>\n`
      },
      html({ text: markup }: Tokens.HTML | Tokens.Tag): string {
        return escapeText(markup)
      },
    },
  })
  const parts = groupExamples(marked.lexer(text)).map(({ languages, tokens }) => {
    const html = marked.parser(tokens)
    return languages.length > 1 ? `<div class="example">\n${html}</div>\n` : html
  })
  return { html: parts.join(''), headings }
}

/** Returns a function that makes the id of a heading as GitHub does: a second one of the same name ends in `-1`. */
function createIds(): (title: string) => string {
  const counts = new Map<string, number>()
  return (title) => {
    const id = title
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}
