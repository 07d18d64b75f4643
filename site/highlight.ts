import { escapeText } from '../src/http/docs/docs-html.ts'

const STRING = String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})`
const WORDS =
  'as|async|await|break|case|catch|class|const|continue|def|else|export|for|from|function|if|import|in|interface|let|new|of|return|throw|try|type|while|with'
const NUMBER = String.raw`(?<number>\b\d[\d_.]*\b|\b(?:true|false|null|None|True|False)\b)`

/** The marked parts of each language. Names of groups are classes of the style. */
const CODE = new RegExp(String.raw`(?<comment>\/\/.*|#.*)|${STRING}|(?<word>\b(?:${WORDS})\b)|${NUMBER}`, 'g')
const SHELL =
  /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<number>\$\w+|\$\{\w+\})|(?<word>(?<=\s)--?[A-Za-z][\w-]*)/gm
const JSON_PARTS = new RegExp(String.raw`(?<word>"(?:[^"\\\n]|\\.)*"(?=\s*:))|${STRING}|${NUMBER}`, 'g')
const YAML = new RegExp(String.raw`(?<comment>(?<=^|\s)#.*)|(?<word>^[ -]*[\w.-]+(?=:))|${STRING}`, 'gm')

const LANGUAGES: Readonly<Record<string, RegExp>> = {
  sh: SHELL,
  bash: SHELL,
  json: JSON_PARTS,
  js: CODE,
  ts: CODE,
  tsx: CODE,
  php: CODE,
  python: CODE,
  yaml: YAML,
}

/** Returns code as HTML. Unknown languages stay plain. */
export function highlight(code: string, language: string): string {
  const parts = LANGUAGES[language]
  if (parts === undefined) return escapeText(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(parts)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['']
    html += `${escapeText(code.slice(end, match.index))}<span class="${kind}">${escapeText(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeText(code.slice(end))
}
