import { Parser } from 'htmlparser2'
import { checkLink } from './check-link.ts'
import type { Finding } from './checks.ts'
import { lineCounter } from './lines.ts'

/** Gmail drops all styles of a message whose style blocks are larger. */
const STYLE_BYTES_MAX = 16 * 1024
/** Elements that mail clients take out, with what stands in them. */
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

/** What a walk through the html finds. Never throws: there is no html that is none. */
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
    walk.report('warning', line, 'Style sheets from elsewhere are not fetched: put the styles in the html.')
  if (REMOVED.has(name)) walk.report('warning', line, `Mail clients take <${name}> out.`)
  const handler = Object.keys(attributes).find((attribute) => /^on[a-z]/i.test(attribute))
  if (handler !== undefined)
    walk.report('warning', line, `Mail clients run no scripts: ${handler} does nothing.`)
  // What is hidden before the first words is what inboxes show beside the subject.
  if (!walk.hasWords && HIDDEN.test(attributes.style ?? '')) walk.hasPreheader = true
}

function checkAnchor({ report }: Walk, line: number, { href, name, id }: Attributes): void {
  if (href === undefined) {
    if (name === undefined && id === undefined)
      report('warning', line, 'This link leads nowhere: it has no href.')
    return
  }
  const found = checkLink(href)
  if (found !== null) report(found.severity, line, found.message)
}

function checkImage({ report }: Walk, line: number, { src, alt }: Attributes): void {
  if (alt === undefined)
    report(
      'warning',
      line,
      'This picture has no alt text: say what it shows, or alt="" where it is mere decoration.',
    )
  if (src === undefined || src.trim() === '') report('error', line, 'This picture has no src.')
  else if (/^data:/i.test(src))
    report('warning', line, 'Gmail and Outlook show no pictures that stand in the html (data:).')
  else if (/^http:/i.test(src))
    report('warning', line, 'This picture is fetched without TLS: some clients leave it out. Use https.')
  else if (!/^(https:|cid:|\{\{)/i.test(src))
    report(
      'error',
      line,
      'This picture has no full address: it cannot be found from an inbox. Begin it with https://.',
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
      `The style blocks have ${(styleChars / 1024).toFixed(1)} KB; Gmail drops all of them beyond 16 KB.`,
    )
  if (!hasPreheader)
    report(
      'hint',
      null,
      'There is no preheader: a hidden line at the beginning is what inboxes show beside the subject.',
    )
  if (!hasLanguage)
    report('hint', null, 'Say which language this is, for those who hear it: <html lang="en">.')
}
