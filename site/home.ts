import { escapeText } from '../src/http/docs/docs-html.ts'
import { highlight } from './highlight.ts'
import type { Page, Section } from './page.ts'

const FIRST_EMAIL = `# In a clone. It prints an API key.
npm start

curl -X POST http://127.0.0.1:8080/emails \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"from": "hello@example.com", "to": "you@example.org",
       "subject": "Hello", "text": "It works."}'`

/** Returns the first page: a first email, and every page with its summary. */
export function createHome(sections: readonly Section[]): Page {
  const cards = sections
    .filter(({ isOpen }) => isOpen)
    .map(
      ({ title, pages }) =>
        `<h2 id="${idOf(title)}">${title}</h2><ul class="cards">${pages.map(card).join('')}</ul>`,
    )
  return {
    path: 'index.html',
    title: 'Sendwright',
    summary: 'Self-hosted transactional email.',
    html: `<div class="hero"><h1>Self-hosted transactional email</h1>
<p>Send over HTTP or SMTP. Sendwright signs with DKIM, delivers directly, and keeps the full SMTP transcript of every attempt.
It starts in capture mode, in which nothing leaves the machine.</p>
<p class="actions"><a class="primary" href="install.html">Install</a><a href="guides/sending.html">Send emails</a><a href="api/">API reference</a></p>
<div class="code"><pre tabindex="0"><code>${highlight(FIRST_EMAIL, 'sh')}</code></pre></div></div>
${cards.join('')}`,
    headings: [],
  }
}

const card = ({ path, title, summary }: Page) =>
  `<li><a href="${path}"><b>${escapeText(title)}</b><span>${escapeText(summary)}</span></a></li>`

const idOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')
