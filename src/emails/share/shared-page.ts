import { escapeText } from '../../http/docs/docs-html.ts'

/** The parts of an email that a public page shows. Hidden recipients are not among them. */
export interface SharedEmail {
  from: string
  to: readonly string[]
  cc: readonly string[]
  subject: string
  /** UTC. */
  date: string
  html: string | null
  text: string | null
  attachments: readonly { filename: string; url: string }[]
}

const STYLE =
  'body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#f4f5f7}header{padding:1rem 1.5rem;background:#fff;border-bottom:1px solid #dde1e6;overflow-wrap:anywhere}h1{margin:0 0 .5rem;font-size:1.2rem}p{margin:.1rem 0;color:#57606a}iframe,pre{display:block;box-sizing:border-box;width:100%;height:80vh;margin:0;border:0;background:#fff}pre{padding:1.5rem;height:auto;white-space:pre-wrap}'

/**
 * Allows styles and remote images, which emails need, and no scripts. The frame of the email inherits the policy.
 * `sandbox` also denies it forms, its origin and access to the top window.
 */
export const SHARED_POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline' https:; font-src https: data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"

export function renderSharedPage({
  from,
  to,
  cc,
  subject,
  date,
  html,
  text,
  attachments,
}: SharedEmail): string {
  const copies = cc.length === 0 ? '' : `<p>Cc: ${escapeText(cc.join(', '))}</p>\n`
  const files = attachments.map(
    ({ filename, url }) => `<a href="${escapeText(url)}">${escapeText(filename)}</a>`,
  )
  const fileLine = files.length === 0 ? '' : `<p>Attachments: ${files.join(', ')}</p>\n`
  const content =
    html === null
      ? `<pre>${escapeText(text ?? '')}</pre>`
      : `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="Content of the email" srcdoc="${escapeText(`<base target="_blank">${html}`)}"></iframe>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeText(subject)}</h1>
<p>From: ${escapeText(from)}</p>
<p>To: ${escapeText(to.join(', '))}</p>
${copies}<p>${escapeText(date)} UTC</p>
${fileLine}</header>
${content}
</body>
</html>
`
}
