import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../../test/support/api.ts'
import { guideRoutes } from './guide-routes.ts'
import { listGuides, readGuide, writeFull } from './guides.ts'

const FOLDER = join(import.meta.dirname, '../../../docs')
let api: Api

beforeAll(async () => {
  api = await startApi({ routes: guideRoutes(FOLDER, 'https://api.test') })
})
afterAll(() => api?.stop())

test('/llms.txt names every guide with its title and a sentence', async () => {
  const { status, text, headers } = await api.as(null).get('/llms.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  const lines = text.split('\n').filter((line) => line.startsWith('- '))
  expect(lines).toHaveLength(listGuides(FOLDER).length)
  expect(
    lines.filter((line) => !/^- \[.+\]\(https:\/\/api\.test\/docs\/[a-z/-]+\.md\): .+\.$/.test(line)),
  ).toEqual([])
})

test('every link of /llms.txt leads to a page in Markdown', async () => {
  const { text } = await api.as(null).get('/llms.txt')
  const paths = [...text.matchAll(/\(https:\/\/api\.test(\/docs\/[^)]+)\)/g)].map(([, path]) => path ?? '')
  expect(paths).toHaveLength(listGuides(FOLDER).length)
  for (const path of paths) {
    const page = await api.as(null).get(path)
    expect([page.status, page.headers.get('content-type')], path).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(page.text).toMatch(/^# /)
  }
})

test('/llms-full.txt has every page', async () => {
  const { text } = await api.as(null).get('/llms-full.txt')
  for (const path of listGuides(FOLDER)) expect(text).toContain(`<!-- https://api.test/docs/${path} -->`)
})

test('/llms-full.txt is bounded: pages beyond the limit are left out whole', () => {
  const guide = { ...readGuide(FOLDER, 'guides/sending.md'), text: 'x'.repeat(300_000) }
  const full = writeFull([guide, guide, guide, guide], 'https://api.test')
  expect(full.match(/<!--/g)).toHaveLength(3)
})

test.each(['../package.json', 'guides/../../package.json', 'requirements.md', 'guides/none', 'guides'])(
  '%s is not a page',
  async (path) => {
    const response = await api.server.inject({ url: `/docs/${path}` })
    expect(response.statusCode).not.toBe(200)
  },
)

test('no pages, and an index without them, when there is no folder', () => {
  expect(listGuides('/nowhere')).toEqual([])
})
