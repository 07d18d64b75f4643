import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the documentation, for programs and agents. */
export interface Guide {
  /** Below `docs/`, for example `guides/sending.md`. */
  path: string
  title: string
  /** The first sentence. */
  summary: string
  text: string
}

/** Pages about working on Sendwright, which nobody who uses it needs. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  'architecture.md',
  'development.md',
  'journeys.md',
  'requirements.md',
  'states.md',
])

/** The limit on all pages together: what a model can read at once. */
const FULL_BYTES_MAX = 1024 * 1024

/** Returns the paths of all pages for users, guides first. Returns none if there is no such folder. */
export function listGuides(folder: string): string[] {
  const guides = listMarkdown(join(folder, 'guides')).map((name) => `guides/${name}`)
  return [...guides, ...listMarkdown(folder).filter((name) => !NOT_FOR_USERS.has(name))]
}

function listMarkdown(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[a-z0-9-]+\.md$/.test(name))
      .sort()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}

export function readGuide(folder: string, path: string): Guide {
  const text = readFileSync(join(folder, path), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  const paragraph = /^# .+\n+((?:[A-Z`*[].*\n?)(?:(?!\n).*\S.*\n?)*)/m.exec(text)?.[1] ?? ''
  const plain = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(plain.trim()) ?? []
  return { path, title, summary: sentence.replace(/:$/, '.'), text }
}

/** Returns the index of the pages in the form of llmstxt.org. */
export function writeIndex(guides: readonly Guide[], publicUrl: string): string {
  const line = ({ path, title, summary }: Guide) =>
    `- [${title}](${publicUrl}/docs/${path})${summary === '' ? '' : `: ${summary}`}`
  const isResource = ({ path }: Guide) => path.startsWith('guides/')
  return [
    '# Sendwright',
    '',
    '> Self-hosted transactional email: an HTTP API, SMTP submission, direct delivery, and a dashboard.',
    '',
    `Agents can call this server with their tools at ${publicUrl}/mcp (Model Context Protocol, with an API key as bearer token).`,
    `All pages in one text: ${publicUrl}/llms-full.txt. The API as OpenAPI 3.1: ${publicUrl}/openapi.json.`,
    '',
    '## Guides',
    '',
    ...guides.filter(isResource).map(line),
    '',
    '## Reference',
    '',
    ...guides.filter((guide) => !isResource(guide)).map(line),
    '',
  ].join('\n')
}

/** Returns all pages in one text. Leaves out whole pages at the end beyond the limit. */
export function writeFull(guides: readonly Guide[], publicUrl: string): string {
  let full = ''
  for (const { path, text } of guides) {
    const page = `<!-- ${publicUrl}/docs/${path} -->\n\n${text.trim()}\n\n`
    if (Buffer.byteLength(full) + Buffer.byteLength(page) > FULL_BYTES_MAX) break
    full += page
  }
  return full
}
