import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The rules of the dashboard's look, which is defined in web/app/theme.ts and carried by web/ui and web/styles. */
const ROOT = join(import.meta.dirname, '..')
const PAGES = globSync('web/pages/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  // An email that is written for recipients has colours and sizes of its own.
  (file) => !file.endsWith('.test.ts') && file !== 'web/pages/templates/list/starter.ts',
)
const STYLES = globSync('web/pages/**/*.css', { cwd: ROOT })
const ALL = globSync('web/{app,pages,ui}/**/*.{ts,tsx}', { cwd: ROOT })

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

function findLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
}

const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(/i

test('pages have no colours of their own', () => {
  const literal = new RegExp(`["'\`\\s:(]${COLOR.source}`, 'i')
  expect(findLines([...PAGES, ...STYLES], literal)).toEqual([])
  expect(findLines(PAGES, /--mantine-color-(?!text)[a-z]+-\d/)).toEqual([])
})

test('pages have no font sizes or weights of their own', () => {
  expect(findLines(PAGES, /\bfz=\{|fontSize|fontWeight|fontFamily|\blts=/)).toEqual([])
  expect(findLines(PAGES, /\bfw=\{(?!400|500|600)/)).toEqual([])
  expect(findLines(STYLES, /font-(?:size|weight|family): (?!var\(--|inherit)/)).toEqual([])
})

test('pages have no distances in pixels of their own', () => {
  const props = /\b(?:p|px|py|pt|pb|pl|pr|m|mx|my|mt|mb|ml|mr|gap|spacing|verticalSpacing|radius)=\{-?[1-9]/
  expect(findLines(PAGES, props)).toEqual([])
  expect(findLines(PAGES, /\b(?:padding|margin|gap|borderRadius)\w*: (?:'[^']*\dpx|-?[1-9])/)).toEqual([])
  // Lines may be a few pixels wide.
  expect(findLines(STYLES, /(?<![\w.-])(?:[4-9]|\d{2,})(?:\.\d+)?px/)).toEqual([])
})

test('icons have the size and stroke of the theme', () => {
  expect(findLines(ALL, /<(?:Icon[A-Z]\w+|Glyph)\b[^>]*\b(?:size|stroke)=/)).toEqual([])
})

test('no code formats with the locale of the browser unchecked', () => {
  // Some systems report a locale that is no language tag, such as `en-US@posix`; formatters throw RangeError for it.
  expect(findLines(ALL, /navigator\.languages?\b/)).toEqual([])
})

test('only the kit renders links, so that one link is marked as the current page', () => {
  const links = ALL.filter((file) => /import \{[^}]*\bLink\b[^}]*\} from '@tanstack/.test(textOf(file)))
  expect(links).toEqual([])
})

test('every part of the component library that is used has its styles', () => {
  const used = new Set(
    ALL.flatMap((file) => [...textOf(file).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim().split(' ')[0] ?? ''),
  )
  const styled = [...used].filter((name) =>
    existsSync(join(ROOT, `node_modules/@mantine/core/styles/${name}.css`)),
  )
  const imported = textOf('web/styles/library.css')
  expect(styled.length).toBeGreaterThan(30)
  expect(styled.filter((name) => !imported.includes(`/styles/${name}.css"`))).toEqual([])
})

test('the page shows the colours of the theme while the program loads', () => {
  const theme = textOf('web/app/theme.ts')
  const colors = [...textOf('web/index.html').matchAll(/#[0-9a-f]{6}/gi)].map(([color]) => color)
  expect(colors).not.toEqual([])
  expect(colors.filter((color) => !theme.includes(`'${color}'`))).toEqual([])
})
