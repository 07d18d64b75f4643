import { escapeText } from '../src/http/docs/docs-html.ts'
import { VERSION } from '../src/lib/version.ts'
import type { Page, Section } from './page.ts'
import { linkFrom } from './resolve-link.ts'

/**
 * Returns a page with its frame. It has no inline scripts or styles, and all URLs are relative, so the site works below
 * any path and under a strict content security policy. Without scripts, only the search and the theme button are missing,
 * and examples show all languages one below another.
 */
export function renderPage(page: Page, sections: readonly Section[]): string {
  const to = (path: string) => linkFrom(page.path, path)
  const isHome = page.path === 'index.html'
  const title = isHome ? 'Sendwright documentation' : `${page.title} · Sendwright`
  return `<!doctype html>
<html lang="en" data-root="${to('index.html')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeText(page.summary)}">
<title>${escapeText(title)}</title>
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/style.css')}">
<script src="${to('assets/theme.js')}"></script>
<script type="module" src="${to('assets/site.js')}"></script>
</head>
<body${isHome ? ' class="home"' : ''}>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button class="button menu" type="button" popovertarget="menu" aria-label="Menu">${MENU_ICON}</button>
<a class="brand" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="26" height="26">Sendwright <small>${VERSION}</small></a>
<button class="button find" type="button" aria-label="Search" hidden>${SEARCH_ICON}<span>Search</span><kbd>/</kbd></button>
<button class="button theme" type="button" aria-label="Switch between light and dark" hidden>${THEME_ICON}</button>
</header>
<div class="frame">
<nav class="pages" id="menu" popover aria-label="Pages">${sections.map((section) => renderSection(section, page, to)).join('')}</nav>
<main id="content" tabindex="-1">
${page.html}
${renderNeighbors(page, sections, to)}
</main>
${renderContents(page)}
</div>
</body>
</html>
`
}

/** Decisions are on their own list, not in the menu. */
const DECISIONS = 'adr/index.html'

type To = (path: string) => string

function renderSection({ title, isOpen, pages }: Section, current: Page, to: To): string {
  const isCurrent = ({ path }: Page) =>
    path === current.path || (path === DECISIONS && current.path.startsWith('adr/'))
  const open = isOpen || pages.some(isCurrent) ? ' open' : ''
  const links = pages.map((page) => {
    const mark = isCurrent(page) ? ' aria-current="page"' : ''
    return `<li><a href="${to(page.path)}"${mark}>${escapeText(page.title)}</a></li>`
  })
  return `<details${open}><summary>${title}</summary><ul>${links.join('')}</ul></details>`
}

function renderNeighbors(page: Page, sections: readonly Section[], to: To): string {
  const all = sections.flatMap(({ pages }) => pages)
  const at = all.findIndex(({ path }) => path === page.path)
  if (at < 0) return ''
  const link = (other: Page | undefined, relation: string, label: string) =>
    other === undefined
      ? ''
      : `<a class="${relation}" rel="${relation}" href="${to(other.path)}"><small>${label}</small> ${escapeText(other.title)}</a>`
  return `<nav class="neighbors" aria-label="Neighboring pages">${link(all[at - 1], 'prev', 'Previous')}${link(all[at + 1], 'next', 'Next')}</nav>`
}

/** A page with fewer sections needs no table of contents. */
const CONTENTS_MIN = 2

function renderContents({ headings }: Page): string {
  const shown = headings.filter(({ depth }) => depth <= 3)
  if (shown.length < CONTENTS_MIN) return ''
  const items = shown.map(
    ({ id, title, depth }) =>
      `<li><a href="#${id}"${depth > 2 ? ' class="deep"' : ''}>${escapeText(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><b>On this page</b><ul>${items.join('')}</ul></nav>`
}

const icon = (path: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`
const MENU_ICON = icon('M4 6h16M4 12h16M4 18h16')
const SEARCH_ICON = icon('M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM21 21l-6-6')
const THEME_ICON = icon('M12 3a9 9 0 1 0 0 18ZM12 3a9 9 0 0 1 0 18')
