// Shows an example in several languages as tabs, by the pattern of WAI-ARIA: the arrow keys, Home and End select a tab.
// All examples show the language that the reader selected last, on this page and on the next ones. Without scripts, every
// language is visible below its name.

const STORED = 'sendwright-docs-language'

interface Tab {
  button: HTMLButtonElement
  panel: HTMLElement
  language: string
}

export function showExamplesAsTabs(): void {
  const examples = [...document.querySelectorAll<HTMLElement>('.example')].map(createTabs)
  let chosen = readChoice()
  const show = () => {
    for (const tabs of examples) select(tabs, chosen)
  }
  for (const tabs of examples) {
    for (const { button, language } of tabs) {
      button.addEventListener('click', () => {
        chosen = language
        storeChoice(chosen)
        keepInPlace(button, show)
      })
    }
  }
  show()
}

function createTabs(example: HTMLElement, number: number): Tab[] {
  const list = document.createElement('div')
  list.className = 'tabs'
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = [...example.querySelectorAll<HTMLElement>('.code')].map((panel) => {
    const language = panel.querySelector('.language')?.textContent ?? ''
    const id = `example-${number}-${language}`
    const button = document.createElement('button')
    button.type = 'button'
    button.id = id
    button.textContent = language
    button.setAttribute('role', 'tab')
    button.setAttribute('aria-controls', `${id}-panel`)
    panel.id = `${id}-panel`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    return { button, panel, language }
  })
  list.append(...tabs.map(({ button }) => button))
  list.addEventListener('keydown', (event) => moveByKey(event, tabs))
  example.prepend(list)
  example.dataset.tabs = ''
  return tabs
}

/** Shows the chosen language, or the first if this example does not have it. */
function select(tabs: readonly Tab[], chosen: string | null): void {
  const shown = tabs.find(({ language }) => language === chosen) ?? tabs[0]
  for (const tab of tabs) {
    const isShown = tab === shown
    tab.button.setAttribute('aria-selected', String(isShown))
    tab.button.tabIndex = isShown ? 0 : -1
    tab.panel.hidden = !isShown
  }
}

function moveByKey(event: KeyboardEvent, tabs: readonly Tab[]): void {
  const at = tabs.findIndex(({ button }) => button === document.activeElement)
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: (at + 1) % tabs.length,
    Home: 0,
    End: -1,
  }
  const target = targets[event.key]
  if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const button = tabs.at(target)?.button
  button?.focus()
  button?.click()
}

/** Keeps an element where it is on the screen while the examples above it change their heights. */
function keepInPlace(element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect().top
  change()
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' })
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    // The browser denies storage: each page starts with the first language.
    return null
  }
}

function storeChoice(language: string): void {
  try {
    localStorage.setItem(STORED, language)
  } catch {
    // The choice then holds for this page only.
  }
}
