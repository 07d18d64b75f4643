import { showExamplesAsTabs } from './examples.ts'
import { openSearch } from './search.ts'

const button = (name: string) => document.querySelector<HTMLButtonElement>(`button.${name}`)

function switchTheme(): void {
  const root = document.documentElement
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem('sendwright-docs-theme', root.dataset.theme)
  } catch {
    // The choice then holds for this page only.
  }
}

function addCopyButton(block: HTMLElement): void {
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy'
  copy.textContent = 'Copy'
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '')
    copy.textContent = 'Copied'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 2_000)
  })
  block.append(copy)
}

/** Marks the section that is being read in the table of contents. */
function followSections(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav.contents a')]
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
  const mark = () => {
    const last = targets.findLastIndex(
      (target) => target !== null && target.getBoundingClientRect().top < 120,
    )
    for (const [index, link] of links.entries()) link.classList.toggle('now', index === Math.max(last, 0))
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

/** Scrolls the menu, and not the page as `scrollIntoView` does. */
function showCurrentPage(): void {
  const menu = document.getElementById('menu')
  const current = menu?.querySelector<HTMLElement>('[aria-current]')
  if (!menu || !current) return
  const top = current.getBoundingClientRect().top - menu.getBoundingClientRect().top
  if (top > menu.clientHeight) menu.scrollTop = top - menu.clientHeight / 2
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

for (const name of ['find', 'theme']) button(name)?.removeAttribute('hidden')
button('theme')?.addEventListener('click', switchTheme)
button('find')?.addEventListener('click', () => void openSearch())
addEventListener('keydown', (event) => {
  const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isShortcut && (event.key !== '/' || isTyping(event.target))) return
  event.preventDefault()
  void openSearch()
})
// Clipboards exist on encrypted and local pages only.
if (navigator.clipboard)
  for (const block of document.querySelectorAll<HTMLElement>('.code')) addCopyButton(block)
showExamplesAsTabs()
showCurrentPage()
followSections()
