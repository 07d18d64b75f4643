import { Parser } from 'htmlparser2'
import { checkLink } from './check-link.ts'
import type { Finding } from './finding.ts'
import { lineCounter } from './lines.ts'

/** Gmail ignores all style blocks of a message when they are larger in total. */
const STYLE_BYTES_MAX = 16 * 1024
/** Elements that mail clients remove together with their content. */
const REMOVED = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'video',
  'audio',
  'form',
  'input',
  'button',
  'textarea',
  'select',
  'canvas',
])
const HIDDEN = /display\s*:\s*none|mso-hide\s*:\s*all|max-height\s*:\s*0|opacity\s*:\s*0(?![.\d])/i

type Attributes = Readonly<Record<string, string>>
type Report = (severity: Finding['severity'], line: number | null, message: string) => void

interface Walk {
  report: Report
  line(): number
  hasLanguage: boolean
  hasPreheader: boolean
  hasWords: boolean
  styleChars: number
  styleLine: number | null
  inside: string
}

/** Returns the problems of the HTML. Never throws: any text is parsed as HTML. */
export function checkMarkup(html: string): Finding[] {
  const findings: Finding[] = []
  const lineAt = lineCounter(html)
  const walk: Walk = {
    report: (severity, line, message) => findings.push({ severity, part: 'html', line, message }),
    line: () => lineAt(parser.startIndex),
    hasLanguage: !/<html[\s>]/i.test(html),
    hasPreheader: false,
    hasWords: false,
    styleChars: 0,
    styleLine: null,
    inside: '',
  }
  const parser = new Parser({
    onopentag: (name, attributes) => openTag(walk, name, attributes),
    ontext: (text) => readText(walk, text),
    onclosetag: () => {
      walk.inside = ''
    },
  })
  parser.end(html)
  checkWhole(walk)
  return findings
}

function openTag(walk: Walk, name: string, attributes: Attributes): void {
  walk.inside = name
  const line = walk.line()
  if (name === 'html' && attributes.lang) walk.hasLanguage = true
  if (name === 'style') walk.styleLine ??= line
  if (name === 'a') checkAnchor(walk, line, attributes)
  if (name === 'img') checkImage(walk, line, attributes)
  if (name === 'link' && /stylesheet/i.test(attributes.rel ?? ''))
    walk.report(
      'warning',
      line,
      'Mail clients do not load external style sheets. Put the styles in the HTML.',
    )
  if (REMOVED.has(name)) walk.report('warning', line, `Mail clients remove <${name}>.`)
  const handler = Object.keys(attributes).find((attribute) => /^on[a-z]/i.test(attribute))
  if (handler !== undefined)
    walk.report('warning', line, `Mail clients do not run scripts: ${handler} has no effect.`)
  // Hidden text before the first visible text is the preheader, which inboxes show next to the subject.
  if (!walk.hasWords && HIDDEN.test(attributes.style ?? '')) walk.hasPreheader = true
}

function checkAnchor({ report }: Walk, line: number, { href, name, id }: Attributes): void {
  if (href === undefined) {
    if (name === undefined && id === undefined)
      report('warning', line, 'This link leads nowhere: it has no href.')
    return
  }
  const problem = checkLink(href)
  if (problem !== null) report(problem.severity, line, problem.message)
}

function checkImage({ report }: Walk, line: number, { src, alt }: Attributes): void {
  if (alt === undefined)
    report('warning', line, 'This image has no alt text. Describe it, or use alt="" for decoration.')
  if (src === undefined || src.trim() === '') report('error', line, 'This image has no src.')
  else if (/^data:/i.test(src))
    report('warning', line, 'Gmail and Outlook do not show inline images (data: URLs).')
  else if (/^http:/i.test(src))
    report('warning', line, 'This image is loaded without TLS, so some clients block it. Use https.')
  else if (!/^(https:|cid:|\{\{)/i.test(src))
    report(
      'error',
      line,
      'This image has no absolute URL, so mail clients cannot load it. Start it with https://.',
    )
}

function readText(walk: Walk, text: string): void {
  if (walk.inside === 'style') walk.styleChars += text.length
  else if (!['title', 'script', 'head'].includes(walk.inside) && text.trim() !== '') walk.hasWords = true
}

function checkWhole({ report, hasLanguage, hasPreheader, styleChars, styleLine }: Walk): void {
  if (styleChars > STYLE_BYTES_MAX)
    report(
      'warning',
      styleLine,
      `The style blocks have ${(styleChars / 1024).toFixed(1)} KB. Gmail drops all of them above 16 KB.`,
    )
  if (!hasPreheader)
    report(
      'hint',
      null,
      'There is no preheader: the hidden first line that inboxes show next to the subject.',
    )
  if (!hasLanguage) report('hint', null, 'Set the language for screen readers: <html lang="en">.')
}
