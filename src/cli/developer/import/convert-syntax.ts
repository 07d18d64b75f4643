/** What could not be converted, or what changed. */
export interface SyntaxRemark {
  line: number
  message: string
}

export interface ConvertedText {
  text: string
  /** The fallbacks of the variables, by key; null without one. */
  variables: Map<string, string | null>
  problems: SyntaxRemark[]
  /** Changes that the program which sends must know. */
  changes: SyntaxRemark[]
}

const KEY_MAX = 64
const PATH = /^(?:@root\.|this\.|\.\/)?[A-Za-z_][\w-]*(?:\.[A-Za-z0-9_][\w-]*)*$/
/** SendGrid's variable with a default. */
const INSERT = /^insert\s+([\w.]+)(?:\s+(?:"default=([^"]*)"|'default=([^']*)'))?$/
const WITH_FALLBACK = /^([A-Za-z_]\w{0,63})\s*\|[^{}]*$/
const UNSUBSCRIBE = /unsubscribe/i
/** Mailgun's variables of a batch. */
const RECIPIENT = /%recipient\.([A-Za-z_]\w{0,63})%/g

/**
 * Converts a text of Mustachio (Postmark), Handlebars (SendGrid, Mailgun, SES) or Resend. Comments are removed, and
 * dotted names become names with underscores. What Sendwright has no equal for stays as it is, and is a problem.
 */
export function convertSyntax(source: string): ConvertedText {
  const converter = new Converter(source)
  converter.run()
  const { text, variables, problems, changes } = converter
  return { text, variables, problems, changes }
}

class Converter {
  readonly variables = new Map<string, string | null>()
  readonly problems: SyntaxRemark[] = []
  readonly changes: SyntaxRemark[] = []
  text = ''
  readonly #source: string
  /** The original name of each key, to find names that became the same. */
  readonly #names = new Map<string, string>()
  #line = 1

  constructor(source: string) {
    this.#source = source
  }

  /** Goes through the source once, from tag to tag: its time is linear, whatever the source contains. */
  run(): void {
    let end = 0
    for (;;) {
      const start = this.#source.indexOf('{{', end)
      this.#takeText(this.#source.slice(end, start === -1 ? undefined : start))
      if (start === -1) return
      const close = closeOf(this.#source, start)
      const stop = this.#source.indexOf(close, start + 2)
      if (stop === -1) {
        this.#refuse('{{', `The tag is not closed by ${close}.`)
        this.#takeText(this.#source.slice(start))
        return
      }
      end = stop + close.length
      this.#takeTag(this.#source.slice(start, end))
    }
  }

  #takeText(text: string): void {
    const converted = text.replaceAll(RECIPIENT, (tag, name: string) => {
      this.#use(name, name, null)
      this.#tell(tag, `is now {{${name}}}.`)
      return `{{${name}}}`
    })
    this.text += converted
    this.#countLines(text)
  }

  #takeTag(tag: string): void {
    this.text += this.#convertTag(tag)
    this.#countLines(tag)
  }

  #countLines(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line++
  }

  #convertTag(tag: string): string {
    const isTriple = tag.startsWith('{{{')
    const inner = tag.slice(isTriple ? 3 : 2, isTriple ? -3 : -2).trim()
    if (inner.startsWith('!')) return ''
    const content = inner.replaceAll(/^~|~$/g, '').trim()
    // Resend's form of a fallback is that of Sendwright too.
    const [, own] = (isTriple && !UNSUBSCRIBE.test(inner) && WITH_FALLBACK.exec(inner)) || []
    if (own !== undefined && this.#use(own, own, null)) return tag
    const isRaw = isTriple || content.startsWith('&')
    const [, inserted, double, single] = INSERT.exec(content) ?? []
    const name = inserted ?? content.replace(/^&/, '').trim()
    const problem = inserted === undefined ? findProblem(name) : null
    if (problem !== null) return this.#refuse(tag, problem)
    const key = toKey(name)
    if (!this.#use(key, name, double ?? single ?? null)) {
      return this.#refuse(tag, `${this.#names.get(key)} would have the same name, ${key}.`)
    }
    const placeholder = isRaw ? `{{{${key}}}}` : `{{${key}}}`
    if (key !== name) this.#tell(tag, `is now ${placeholder}.`)
    return placeholder
  }

  /** Returns false if another name became the same key. */
  #use(key: string, name: string, fallback: string | null): boolean {
    const before = this.#names.get(key)
    if (before !== undefined && before !== name) return false
    this.#names.set(key, name)
    this.variables.set(key, fallback ?? this.variables.get(key) ?? null)
    return true
  }

  #refuse(tag: string, message: string): string {
    this.problems.push({ line: this.#line, message: `${shorten(tag)}: ${message}` })
    return tag === '{{' ? '' : tag
  }

  #tell(tag: string, message: string): void {
    this.changes.push({ line: this.#line, message: `${shorten(tag)} ${message}` })
  }
}

/** Returns what closes the tag that starts here. */
function closeOf(source: string, start: number): string {
  if (source.startsWith('{{!--', start)) return '--}}'
  return source.startsWith('{{{', start) ? '}}}' : '}}'
}

/** Returns why a tag has no equal; null if it has one. */
function findProblem(content: string): string | null {
  if (UNSUBSCRIBE.test(content)) {
    return 'Write {{{UNSUBSCRIBE_URL}}}, which campaigns and automations fill. For POST /emails there is no link for the text: send with `unsubscribe`, which adds the header fields.'
  }
  if (/^[#^/]|^else\b/.test(content)) {
    return 'There are no conditions and loops. Build this part in your program, and pass it as a {{{variable}}}.'
  }
  if (content.startsWith('>')) return 'There are no partials. Put the content here.'
  if (/^(?:\.|this|@index|@first|@last|@key)$|\.\.\//.test(content))
    return 'It belongs to a loop or a condition.'
  if (content === '@content') return 'A layout is imported with the templates that use it, not alone.'
  if (/^[\w.-]+\s+\S/.test(content)) return 'There are no helpers. Format the value in your program.'
  return PATH.test(content) ? null : 'This is not the name of a variable.'
}

/** `user.first-name` becomes `user_first_name`. */
function toKey(name: string): string {
  return name
    .replace(/^(?:@root\.|this\.|\.\/)/, '')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .slice(0, KEY_MAX)
}

const TAG_SHOWN_MAX = 60

function shorten(tag: string): string {
  const line = tag.replaceAll(/\s+/g, ' ')
  return line.length > TAG_SHOWN_MAX ? `${line.slice(0, TAG_SHOWN_MAX)}...` : line
}
