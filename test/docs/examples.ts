import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** What `curl --url smtp://...` submits. */
export interface Mail {
  from: string
  to: string[]
  message: string
}

/** One example of a guide: a curl command, and the answer that the guide shows for it. */
export interface Example {
  /** Of the command's first line, in the file. */
  line: number
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
  /** Set: the command speaks SMTP. */
  mail: Mail | null
  /** The JSON block after the command; null where the guide shows none. */
  answer: unknown
  /** The CSV block after the command; after one that submits mail, the last reply. */
  text: string | null
  /** What the block names (```json 409); null: any success. */
  status: number | null
}

const FENCE = /^```(\w*)[ ]?(.*)\n([\s\S]*?)^```$/gm

/**
 * The examples of a guide, in order. A ```sh block that begins with `curl` is one; a ```json block that follows it shows
 * its answer, ```json 409 an error's, ```csv one that is CSV; ```csv NAME is a file that later commands send by
 * `--data-binary @NAME`. ```eml NAME is a message that `curl --url smtp://...` submits, ```text after that the last reply.
 * A ```sh block that begins with `NAME=$(` runs as it is written: later commands use its variable and the files it makes.
 */
export function readExamples(markdown: string): Example[] {
  const examples: Example[] = []
  const files = new Map<string, string>()
  const variables = new Map<string, string>()
  let open: Example | null = null
  for (const match of markdown.matchAll(FENCE)) {
    const [, language, info = '', text = ''] = match
    const line = markdown.slice(0, match.index).split('\n').length + 1
    if ((language === 'csv' || language === 'eml') && info !== '') files.set(info.trim(), text)
    else if ((language === 'csv' || language === 'text') && open !== null) open.text = text
    else if (language === 'sh' && ASSIGNMENT.test(text)) runSetup(text, variables, files)
    else if (language === 'sh' && text.startsWith('curl ')) {
      const words = wordsOf(text.replaceAll('\\\n', ' '), variables)
      const command = text.includes('smtp://') ? readCurlMail(words, files) : readCurl(words, files)
      open = { line, ...command, answer: null, text: null, status: null }
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

/** Runs a block in an empty directory, and keeps its variable and the files it made. */
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

/** `curl -X PUT "$SENDWRIGHT/contacts/1" -H 'a: b' -d '{}'` as a request. */
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
      if (file === undefined) throw new Error(`The guide shows no file ${data}.`)
      request.body = file
      if (!hasMethod) request.method = 'POST'
    } else if (word.startsWith('$SENDWRIGHT/')) request.path = word.slice('$SENDWRIGHT'.length)
    else if (word !== '-s' && word !== '-i') throw new Error(`A word that examples do not use: ${word}`)
  }
  return request
}

/** `curl --url smtp://$SMTP --mail-from a --mail-rcpt b --upload-file c.eml` as a message. */
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
      if (file === undefined) throw new Error(`The guide shows no file ${value}.`)
      mail.message = file
    } else if (word !== '--url') throw new Error(`A word that examples do not use: ${word}`)
  }
  return { method: 'SMTP', path: mail.to.join(), headers: { login }, body: null, mail }
}

const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"]+)+/g
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+)/g

/** Returns the words of a shell command without their quotes. A variable has its value wherever a shell would put it. */
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
