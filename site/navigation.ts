import type { Page, Section } from './page.ts'

/** The order of the menu. A document that no section names follows the others of its folder. */
const SECTIONS: readonly { title: string; isOpen: boolean; folder?: string; documents: string }[] = [
  { title: 'Get started', isOpen: true, documents: 'install dashboard go-live' },
  {
    title: 'Guides',
    isOpen: true,
    folder: 'guides/',
    documents: `guides/sending guides/domains guides/api-keys guides/smtp guides/raw-messages guides/templates guides/validation
      guides/suppressions guides/tracking guides/unsubscribing guides/contacts guides/segments guides/campaigns guides/automations
      guides/import-and-export guides/events guides/webhooks guides/metrics guides/paging guides/personal-data`,
  },
  { title: 'Programs', isOpen: true, documents: 'sdk clients cli mcp resend' },
  { title: 'API reference', isOpen: false, folder: 'api/', documents: 'api/index' },
  {
    title: 'Operate',
    isOpen: true,
    documents: 'operations scale deliverability domains permissions second-factor single-sign-on',
  },
  { title: 'Reference', isOpen: true, folder: '', documents: 'errors validation states requirements' },
  {
    title: 'Project',
    isOpen: false,
    documents: 'architecture development journeys adr/index',
  },
]

/** Returns all pages in the order of the menu. Sections without pages are left out. */
export function createNavigation(pages: readonly Page[]): Section[] {
  const lists = SECTIONS.map(({ documents }) => documents.split(/\s+/))
  const named = new Set(lists.flat())
  return SECTIONS.map(({ title, isOpen, folder }, index) => {
    const own = (lists[index] ?? []).flatMap((name) => pages.filter(({ path }) => path === `${name}.html`))
    const others = pages.filter(
      ({ path }) => !named.has(path.replace('.html', '')) && folderOf(path) === folder,
    )
    return { title, isOpen, pages: [...own, ...others] }
  }).filter((section) => section.pages.length > 0)
}

/** Returns the folder of a page with a slash, or an empty text. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
