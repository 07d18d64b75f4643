import MiniSearch from 'minisearch'

interface Entry {
  id: number
  page: string
  title: string
  url: string
  text: string
}

const RESULTS_MAX = 20
const EXCERPT_CHARS = 140
const ROOT = document.documentElement.dataset.root ?? './'

let loading: Promise<MiniSearch<Entry>> | null = null
let dialog: HTMLDialogElement | null = null

/** Loads the entries of all pages when the search is first opened. */
async function load(): Promise<MiniSearch<Entry>> {
  const response = await fetch(`${ROOT}search.json`)
  if (!response.ok) throw new Error(`search.json: ${response.status}`)
  const search = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'url', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  await search.addAllAsync((await response.json()) as Entry[])
  return search
}

export async function openSearch(): Promise<void> {
  dialog ??= createDialog()
  if (dialog.open) return
  dialog.showModal()
  dialog.querySelector('input')?.select()
}

function createDialog(): HTMLDialogElement {
  const element = document.createElement('dialog')
  element.setAttribute('aria-label', 'Search')
  element.innerHTML =
    '<input type="search" placeholder="Search the documentation" aria-label="Search" autocomplete="off" spellcheck="false"><p role="status"></p><ul></ul>'
  document.body.append(element)
  const input = element.querySelector('input') as HTMLInputElement
  input.addEventListener('input', () => void showResults(element, input.value))
  element.addEventListener('keydown', (event) => moveFocus(element, event))
  element.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null
    if (isLink || event.target === element) element.close()
  })
  return element
}

async function showResults(element: HTMLDialogElement, query: string): Promise<void> {
  const list = element.querySelector('ul') as HTMLUListElement
  const status = element.querySelector('[role=status]') as HTMLElement
  const isCurrent = () => element.querySelector('input')?.value === query
  try {
    loading ??= load()
    const search = await loading
    if (!isCurrent()) return
    const results = search.search(query).slice(0, RESULTS_MAX)
    list.replaceChildren(...results.map((result) => item(result as unknown as Entry, result.terms)))
    status.textContent = query.trim() !== '' && results.length === 0 ? `Nothing found for “${query}”.` : ''
  } catch {
    loading = null
    status.textContent = 'The search could not be loaded.'
  }
}

function item({ title, page, url, text }: Entry, terms: readonly string[]): HTMLLIElement {
  const link = document.createElement('a')
  link.href = ROOT + url
  const name = document.createElement('b')
  name.append(...marked(title, terms))
  const place = document.createElement('small')
  place.textContent = title === page ? '' : page
  const excerpt = document.createElement('span')
  excerpt.append(...marked(excerptOf(text, terms), terms))
  link.append(name, ' ', place, excerpt)
  const element = document.createElement('li')
  element.append(link)
  return element
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const positions = terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0)
  const start = positions.length === 0 ? 0 : Math.max(0, Math.min(...positions) - EXCERPT_CHARS / 3)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const excerpt = text.slice(from, from + EXCERPT_CHARS)
  const isCut = from + EXCERPT_CHARS < text.length
  return `${from === 0 ? '' : '… '}${isCut ? `${excerpt.replace(/\s\S*$/, '')} …` : excerpt}`
}

/** Returns the text with the found words marked. */
function marked(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  if (terms.length === 0) return [text]
  const words = terms.map((term) => term.replaceAll(/[^\p{Letter}\p{Number}]/gu, '\\$&'))
  return text.split(new RegExp(`(${words.join('|')})`, 'giu')).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

function moveFocus(element: HTMLDialogElement, event: KeyboardEvent): void {
  const stops = [...element.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined) {
    event.preventDefault()
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
  } else if (event.key === 'Enter' && at === 0) {
    event.preventDefault()
    stops[1]?.click()
  }
}
