import { createHash } from 'node:crypto'
import { escapeText } from '../../http/docs/docs-html.ts'

/** The content of the page, in the sender's words. */
export interface UnsubscribePage {
  state: 'subscribed' | 'unsubscribed'
  /** The From of the email or the name of the account. */
  sender: string
  email: string
  /** The name of the list or topic. */
  subject: string
  /** The URL of the form. */
  action: string
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #14161a); color: light-dark(#1b1f24, #e8eaed); }
main { box-sizing: border-box; width: min(30rem, 100vw); padding: 2rem; background: light-dark(#fff, #1e2127); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; }
p { margin: 0 0 1rem; }
button { font: inherit; font-weight: 600; padding: .6rem 1.1rem; border: 0; border-radius: 8px; background: light-dark(#1f5eff, #7aa2ff); color: light-dark(#fff, #0c1220); cursor: pointer; }
button.quiet { background: none; color: light-dark(#1f4fd0, #9dbaff); padding: 0; text-decoration: underline; font-weight: 400; }
button:focus-visible { outline: 3px solid light-dark(#9dbaff, #1f5eff); outline-offset: 2px; }
`

/** Allows the page its own style and form only: nothing is loaded, and no other page can frame it. */
export function unsubscribePolicy(): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`
}

export function renderUnsubscribePage(page: UnsubscribePage): string {
  const { sender, email, subject, action } = page
  const about = `<strong>${escapeText(subject)}</strong>`
  const address = `<strong>${escapeText(email)}</strong>`
  const content =
    page.state === 'subscribed'
      ? `<h1>Unsubscribe from ${escapeText(subject)}?</h1>
<p>${escapeText(sender)} sends ${about} to ${address}.</p>
${renderForm(action, 'Unsubscribe', '')}`
      : `<h1>You are unsubscribed</h1>
<p>${escapeText(sender)} sends no more ${about} to ${address}.</p>
${renderForm(action, 'That was a mistake: subscribe again', 'quiet')}`
  return wrap(page.state === 'subscribed' ? 'Unsubscribe' : 'Unsubscribed', content)
}

/** Returns the page for a link that was altered or is from another installation. */
export function renderUnknownLink(): string {
  return wrap(
    'Unknown link',
    `<h1>This link does not work</h1>
<p>It may have been cut on its way. Open the link in the email once more, or answer the email and ask to be taken off.</p>`,
  )
}

/** Returns the page for the link in the test of a campaign. */
export function renderTestLink(): string {
  return wrap(
    'Test link',
    `<h1>This is a test</h1>
<p>You opened the unsubscribe link of a test email or a preview. It changes nothing. In the email to a contact, this link lets them unsubscribe.</p>`,
  )
}

function renderForm(action: string, label: string, look: string): string {
  const button = `<button type="submit"${look === '' ? '' : ` class="${look}"`}>${label}</button>`
  return `<form method="post" action="${escapeText(action)}">${button}</form>`
}

function wrap(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
}
