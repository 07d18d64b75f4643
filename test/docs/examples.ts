import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** The message that `curl --url smtp://...` submits. */
export interface Mail {
  from: string
  to: string[]
  message: string
}

/** One example of a guide: a curl command with its response. */
export interface Example {
  /** The line number of the command in the file. */
  line: number
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  /** The message of an SMTP command; null for HTTP. */
  mail: Mail | null
  /** The JSON block after the command; null when there is none. */
  answer: unknown
  /** The CSV block after the command, or the last reply after submitted mail. */
  text: string | null
  /** The status of the block (```json 409); null: any success. */
  status: number | null
  /** The same call in other languages. */
  variants: Partial<Record<VariantLanguage, string>>
  /** The files that the guide has shown before, by name. */
  files: ReadonlyMap<string, string>
}

/** The languages of the blocks that can follow a command. */
export type VariantLanguage = 'ts' | 'python' | 'php'

const VARIANTS: readonly string[] = ['ts', 'python', 'php'] satisfies VariantLanguage[]

const FENCE = /^```(\w*)[ ]?(.*)\n([\s\S]*?)^```$/gm

/**
 * Returns the examples of a guide, in order. A ```sh block that starts with `curl` is an example; a following ```json
 * block is its response, ```json 409 an error response, ```csv a CSV response. ```csv NAME is a file that later
 * commands send with `--data-binary @NAME`. ```eml NAME is a message that `curl --url smtp://...` submits, followed
 * by the last reply as ```text. Blocks of ```ts, ```python and ```php directly after a command, with only blank lines
 * between them, are the same call in other languages. A ```sh block that starts with `NAME=$(` is executed: later commands use its variable
 * and files.
 */
export function readExamples(markdown: string): Example[] {
  const examples: Example[] = []
  const files = new Map<string, string>()
  const variables = new Map<string, string>()
  let open: Example | null = null
  let end = 0
  for (const match of markdown.matchAll(FENCE)) {
    const [, language, info = '', text = ''] = match
    const line = markdown.slice(0, match.index).split('\n').length + 1
    const isAdjacent = markdown.slice(end, match.index).trim() === ''
    end = match.index + match[0].length
    if ((language === 'csv' || language === 'eml') && info !== '') files.set(info.trim(), text)
    else if ((language === 'csv' || language === 'text') && open !== null) open.text = text
    else if (VARIANTS.includes(language ?? '') && open !== null && isAdjacent) {
      open.variants[language as VariantLanguage] = text
    } else if (language === 'sh' && ASSIGNMENT.test(text)) runSetup(text, variables, files)
    else if (language === 'sh' && text.startsWith('curl ')) {
      const words = wordsOf(text.replaceAll('\\\n', ' '), variables)
      const command = text.includes('smtp://') ? readCurlMail(words, files) : readCurl(words, files)
      open = { line, ...command, answer: null, text: null, status: null, variants: {}, files: new Map(files) }
      examples.push(open)
    } else if (language === 'json' && open !== null) {
      open.answer = JSON.parse(text)
      open.status = info === '' ? null : Number(info)
      open = null
    } else open = null
  }
  return examples
}

const ASSIGNMENT = /^([A-Z_]+)=\$\(/

/** Runs a block in an empty directory, and stores its variable and files. */
function runSetup(text: string, variables: Map<string, string>, files: Map<string, string>): void {
  const cwd = mkdtempSync(join(tmpdir(), 'sendwright-guide-'))
  try {
    const [, name = ''] = ASSIGNMENT.exec(text) ?? []
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
    const script = `${text}\nprintf %s "$${name}"`
    variables.set(name, execFileSync('sh', ['-ec', script], { cwd, encoding: 'utf8', env: { PATH } }))
    for (const file of readdirSync(cwd)) files.set(file, readFileSync(join(cwd, file), 'utf8'))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** Parses `curl -X PUT "$SENDWRIGHT/contacts/1" -H 'a: b' -d '{}'` as a request. */
function readCurl([, ...words]: string[], files: ReadonlyMap<string, string>) {
  const request = {
    method: 'GET',
    path: '',
    headers: {} as Record<string, string>,
    body: null as string | null,
    mail: null,
  }
  let hasMethod = false
  while (words.length > 0) {
    const word = words.shift() as string
    if (word === '-X') {
      request.method = words.shift() ?? ''
      hasMethod = true
    } else if (word === '-H') {
      const [name = '', ...value] = (words.shift() ?? '').split(':')
      request.headers[name.toLowerCase()] = value.join(':').trim()
    } else if (word === '-d' || word === '--data-binary') {
      const data = words.shift() ?? ''
      const file = data.startsWith('@') ? files.get(data.slice(1)) : data
      if (file === undefined) throw new Error(`The guide has no file ${data}.`)
      request.body = file
      if (!hasMethod) request.method = 'POST'
    } else if (word.startsWith('$SENDWRIGHT/')) request.path = word.slice('$SENDWRIGHT'.length)
    else if (word !== '-s' && word !== '-i') throw new Error(`Unknown word in an example: ${word}`)
  }
  return request
}

/** Parses `curl --url smtp://$SMTP --mail-from a --mail-rcpt b --upload-file c.eml` as a message. */
function readCurlMail([, ...words]: string[], files: ReadonlyMap<string, string>) {
  const mail: Mail = { from: '', to: [], message: '' }
  let login = ''
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (['--ssl-reqd', '--insecure', '--crlf', '-v'].includes(word)) continue
    const value = words.shift() ?? ''
    if (word === '--mail-from') mail.from = value
    else if (word === '--mail-rcpt') mail.to.push(value)
    else if (word === '--user') login = value
    else if (word === '--upload-file') {
      const file = files.get(value)
      if (file === undefined) throw new Error(`The guide has no file ${value}.`)
      mail.message = file
    } else if (word !== '--url') throw new Error(`Unknown word in an example: ${word}`)
  }
  return { method: 'SMTP', path: mail.to.join(), headers: { login }, body: null, mail }
}

const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"]+)+/g
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+)/g

/** Returns the words of a shell command without quotes. Variables are expanded wherever a shell expands them. */
function wordsOf(text: string, variables: ReadonlyMap<string, string>): string[] {
  const expand = (part: string) =>
    part.replace(/\$([A-Z_]+)/g, (reference, name: string) => variables.get(name) ?? reference)
  return [...text.matchAll(WORD)].map(([word]) =>
    word.replace(
      PART,
      (_, single?: string, double?: string, bare?: string) =>
        single ?? expand(double?.replaceAll('\\"', '"') ?? bare ?? ''),
    ),
  )
}
