/** A heading below the title, for the table of contents. */
export interface Heading {
  id: string
  title: string
  depth: number
}

/** A page of the site without its frame. */
export interface Page {
  /** The path in the site: `guides/sending.html`. */
  path: string
  title: string
  /** The first sentence. */
  summary: string
  /** Starts with an `h1`. */
  html: string
  headings: readonly Heading[]
}

/** Pages under one title in the menu. */
export interface Section {
  title: string
  /** Whether the menu shows the pages on every page. */
  isOpen: boolean
  pages: readonly Page[]
}
