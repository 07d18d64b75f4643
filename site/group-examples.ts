import type { Token } from 'marked'

/** Consecutive tokens of a document. */
export interface Run {
  /** The languages in which the blocks show the same call. Empty for anything else. */
  languages: string[]
  tokens: Token[]
}

/** Information strings of blocks that can show the same call, with the names that readers see. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'sh curl': 'curl',
  'ts Node': 'Node',
  python: 'Python',
  php: 'PHP',
}

/** Returns the name of the language of a block that can be one of several for the same call, or null. */
export function languageOf(info = ''): string | null {
  return LANGUAGES[info] ?? null
}

/** Splits a document. Blocks of different languages, with only blank lines between them, show the same call. */
export function groupExamples(tokens: readonly Token[]): Run[] {
  const runs: Run[] = []
  for (const token of tokens) {
    const language = token.type === 'code' ? languageOf(token.lang) : null
    const last = runs.at(-1)
    if (last && (token.type === 'space' || continues(last, language))) last.tokens.push(token)
    else runs.push({ languages: [], tokens: [token] })
    if (language !== null) runs.at(-1)?.languages.push(language)
  }
  return runs
}

function continues({ languages }: Run, language: string | null): boolean {
  if (language === null) return languages.length === 0
  return languages.length > 0 && !languages.includes(language)
}
