import { constantReply } from '../route/constant-reply.ts'
import { type Route, route } from '../route/route.ts'
import { listGuides, readGuide, writeFull, writeIndex } from './guides.ts'

const common = { area: 'reference', permission: 'public' } as const
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'
/** The pages change with an upgrade only. */
const HEADERS = { 'cache-control': 'public, max-age=3600' }

/**
 * Returns `/llms.txt`, `/llms-full.txt`, and each page as `/docs/….md`. Each page is a route of its own, so that no
 * request names a file. A page is read when it is first requested, and then kept.
 */
export function guideRoutes(folder: string, publicUrl: string): readonly Route<unknown>[] {
  const paths = listGuides(folder)
  const guides = once(() => paths.map((path) => readGuide(folder, path)))
  const index = textRoute('/llms.txt', 'List the guides for language models', PLAIN, () =>
    writeIndex(guides(), publicUrl),
  )
  const full = textRoute('/llms-full.txt', 'Read all guides in one text', PLAIN, () =>
    writeFull(guides(), publicUrl),
  )
  const pages = paths.map((path) =>
    textRoute(`/docs/${path}`, 'Read a guide', MARKDOWN, () => readGuide(folder, path).text),
  )
  return [index, full, ...pages]
}

function textRoute(path: string, summary: string, type: string, read: () => string): Route<unknown> {
  const answer = constantReply({ type, read, headers: HEADERS })
  return route('GET', path, {
    ...common,
    summary,
    responses: { 200: { description: 'The text.', type } },
    handle: ({ headers }) => answer(headers),
  })
}

function once<T>(read: () => T): () => T {
  let kept: { value: T } | null = null
  return () => {
    kept ??= { value: read() }
    return kept.value
  }
}
