import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../src/app/routes.ts'
import { openApiPath } from '../src/http/docs/openapi-operations.ts'
import { createSite } from './create-site.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createLinkResolver, pagePath } from './resolve-link.ts'
import type { SearchEntry } from './search-entries.ts'

const DOCS = join(import.meta.dirname, '../docs')
const files = new Map<string, string>()
let pages: [path: string, html: string][] = []

beforeAll(async () => {
  for (const [path, { contents }] of Object.entries(await createSite().process())) {
    files.set(path, contents.toString())
  }
  pages = [...files].filter(([path]) => path.endsWith('.html'))
})

/** Returns the values of an attribute. */
const valuesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(String.raw`\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

test('every document is a page, which the menu or the list of decisions names', () => {
  const documents = globSync('**/*.md', { cwd: DOCS })
  expect(documents.map(pagePath).filter((path) => !files.has(path))).toEqual([])
  const named = ['index.html', 'adr/index.html'].flatMap((from) =>
    valuesOf(files.get(from) ?? '', 'href').map((href) => posix.join(posix.dirname(from), href)),
  )
  expect(
    documents.map(pagePath).filter((path) => !named.includes(path.replace(/(^|\/)index\.html$/, '$1'))),
  ).toEqual([])
})

test('every operation of the API is on a page', () => {
  const html = pages
    .filter(([path]) => path.startsWith('api/'))
    .map(([, text]) => text.replaceAll('<wbr>', ''))
  const all = html.join('\n').replaceAll('&#123;', '{').replaceAll('&#125;', '}')
  const silent = [...API_ROUTES, ...OPERATOR_ROUTES].filter(
    (route) => !all.includes(`>${route.method}</b> <code>${openApiPath(route)}</code>`),
  )
  expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

describe('links', () => {
  test('every one leads to a page and a section that exist', () => {
    const ids = new Map(pages.map(([path, html]) => [path, new Set(valuesOf(html, 'id'))]))
    const dead = pages.flatMap(([path, html]) =>
      [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]
        .filter((url) => !/^https?:/.test(url))
        .filter((url) => {
          const [target = '', id] = url.split('#')
          const joined = target === '' ? path : posix.join(posix.dirname(path), target)
          const file = /(^\.?|\/)$/.test(joined) ? posix.join(joined, 'index.html') : joined
          return !files.has(file) || (id !== undefined && ids.get(file)?.has(id) !== true)
        })
        .map((url) => `${path} -> ${url}`),
    )
    expect(dead).toEqual([])
  })

  test('files outside docs/ become part of the site, and other places are not links', () => {
    expect(files.get('files/ops/compose/single/compose.yaml')).toContain('services:')
    const linked = new Map<string, string>()
    const resolveLink = createLinkResolver('guides/sending.md', linked)
    expect(resolveLink('../../.env.example')).toBe('../files/env.example')
    expect(resolveLink('../../ops')).toBeNull()
    expect(resolveLink('../../../secret')).toBeNull()
    expect([...linked.keys()]).toEqual(['files/env.example'])
  })

  test('ids are unique on each page', () => {
    const repeated = pages.flatMap(([path, html]) =>
      valuesOf(html, 'id')
        .filter((id, index, all) => all.indexOf(id) !== index)
        .map((id) => `${path}#${id}`),
    )
    expect(repeated).toEqual([])
  })
})

test('no page loads anything from elsewhere, or has scripts or styles of its own', () => {
  const wrong = pages.flatMap(([path, html]) => {
    const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)].map(([tag]) => tag)
    const own = /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/.exec(
      html.replaceAll(/<code>.*?<\/code>/gs, ''),
    )
    return [...loaded.filter((tag) => /(?:src|href)="(?:[a-z]+:|\/\/)/.test(tag)), ...(own ?? [])].map(
      (found) => `${path}: ${found}`,
    )
  })
  expect(wrong).toEqual([])
})

test('markup in a document is text', () => {
  expect(files.get('guides/sending.html')).not.toContain('<p>Thank you.</p>')
})

describe('examples in several languages', () => {
  const namesOf = (html: string) =>
    [...html.matchAll(/<div class="example">\n(.*?)\n<\/div>/gs)].map(([, inner = '']) =>
      [...inner.matchAll(/<p class="language">(\w+)<\/p>/g)].map(([, name]) => name),
    )

  test('blocks of different languages are one example, and a block of the same language starts the next', () => {
    const block = (info: string) => `\`\`\`${info}\ncode\n\`\`\``
    const text = ['sh curl', 'ts Node', 'sh curl', 'python', 'json', 'php', 'sh', 'ts']
      .map(block)
      .join('\n\n')
    const { html } = renderMarkdown(text, () => null)
    expect(namesOf(html)).toEqual([
      ['curl', 'Node'],
      ['curl', 'Python'],
    ])
    expect(html.match(/<pre/g)?.length).toBe(8)
  })

  test('guides show their calls in four languages', () => {
    expect(namesOf(files.get('guides/sending.html') ?? '').slice(0, 2)).toEqual([
      ['Node', 'Python', 'PHP'],
      ['curl', 'Node', 'Python', 'PHP'],
    ])
  })
})

describe('the search', () => {
  let entries: SearchEntry[] = []
  const find = (query: string) => {
    const search = new MiniSearch<SearchEntry>({
      fields: ['title', 'page', 'text'],
      storeFields: ['url'],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
    })
    search.addAll(entries)
    return search.search(query).map(({ url }) => url as string)
  }
  beforeAll(() => {
    entries = JSON.parse(files.get('search.json') ?? '')
  })

  test.each([
    ['idempotency', 'guides/sending.html#'],
    ['suppresions', 'suppressions.html'],
    ['backup restore', 'operations.html#'],
    ['DELETE suppressions', 'api/suppressions.html#'],
  ])('finds %s', (query, url) => {
    expect(find(query).slice(0, 5)).toContainEqual(expect.stringContaining(url))
  })

  test('loads less than 600 KB', () => {
    expect(files.get('search.json')?.length).toBeLessThan(600_000)
    expect(entries.filter(({ text }) => /class="(comment|string|word|number)"|&#\d+;/.test(text))).toEqual([])
  })
})
