import { type ImportOrigin, ORIGIN_NAMES } from './origins.ts'
import { type ExportRecord, findText, findValue } from './read-records.ts'

/** A template of another service, before its syntax is converted. */
export interface ForeignTemplate {
  place: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  /** Fallbacks that the service stores beside the text. */
  fallbacks: ReadonlyMap<string, string>
  /** Why it cannot be imported at all. */
  problem: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: a file has any form; each read is checked where it is used
type Fields = Record<string, any>

/** How each service stores a template. */
const READERS: Readonly<Record<ImportOrigin, (fields: Fields) => Partial<ForeignTemplate>>> = {
  resend: ({ name, alias, subject, html, text, variables }) => ({
    name,
    alias,
    subject,
    html,
    text,
    fallbacks: readFallbacks(variables),
  }),
  postmark: ({ Name, Alias, Subject, HtmlBody, TextBody }) => ({
    name: Name,
    alias: Alias,
    subject: Subject,
    html: HtmlBody,
    text: TextBody,
  }),
  sendgrid({ name, generation, versions }) {
    const all: Fields[] = Array.isArray(versions) ? versions : []
    const version = all.find(({ active }) => active === 1) ?? all[0] ?? {}
    const problem =
      generation === 'legacy' ? 'It is a legacy template. Make it a dynamic one in SendGrid first.' : null
    return {
      name,
      subject: version.subject,
      html: version.html_content,
      text: version.plain_content,
      problem,
    }
  },
  mailgun({ template, name, version, versions }) {
    const {
      name: inner,
      version: newest,
      versions: all,
    } = isObject(template) ? template : { name, version, versions }
    const current: Fields =
      newest ?? (Array.isArray(all) ? (all.find(({ active }) => active) ?? all[0]) : null) ?? {}
    const problem =
      current.engine === 'go' ? 'It is written for the engine `go`, not for `handlebars`.' : null
    return { name: inner, subject: current.headers?.Subject, html: current.template, problem }
  },
  ses({ Template, TemplateName, TemplateContent, SubjectPart, HtmlPart, TextPart }) {
    const old = isObject(Template) ? Template : { TemplateName, SubjectPart, HtmlPart, TextPart }
    const { Subject, Html, Text } = isObject(TemplateContent) ? TemplateContent : ({} as Fields)
    return {
      name: TemplateName ?? old.TemplateName,
      alias: TemplateName ?? old.TemplateName,
      subject: Subject ?? old.SubjectPart,
      html: Html ?? old.HtmlPart,
      text: Text ?? old.TextPart,
    }
  },
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readFallbacks(variables: unknown): Map<string, string> {
  const fallbacks = new Map<string, string>()
  for (const each of Array.isArray(variables) ? variables : []) {
    const { key, fallback_value: fallback } = isObject(each) ? each : ({} as Fields)
    if (typeof key === 'string' && fallback != null) fallbacks.set(key, String(fallback))
  }
  return fallbacks
}

/** Reads the templates of an export. Postmark's layouts become part of the templates that use them. */
export function readTemplates(service: ImportOrigin, records: readonly ExportRecord[]): ForeignTemplate[] {
  const layouts = service === 'postmark' ? records.filter(isLayout) : []
  return records
    .filter((record) => !layouts.includes(record))
    .map((record) => withLayout(readTemplate(service, record), record, layouts))
}

function readTemplate(service: ImportOrigin, record: ExportRecord): ForeignTemplate {
  const fields = READERS[service](Object.fromEntries(record.fields))
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const template = {
    place: record.place,
    name: text(fields.name),
    alias: toAlias(text(fields.alias) || text(fields.name)),
    subject: text(fields.subject),
    html: text(fields.html),
    text: text(fields.text),
    fallbacks: fields.fallbacks ?? new Map(),
  }
  return { ...template, problem: fields.problem ?? findProblem(service, template) }
}

function findProblem(
  service: ImportOrigin,
  { name, html, text }: Pick<ForeignTemplate, 'name' | 'html' | 'text'>,
) {
  if (name === '') return 'It has no name.'
  if (html !== '' || text !== '') return null
  return `It has no content. The list of templates does not contain it: export each template of ${ORIGIN_NAMES[service]} itself.`
}

/** Returns the alias that Sendwright allows; null without one. */
function toAlias(name: string): string | null {
  const alias = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return alias === '' ? null : alias.slice(0, 64)
}

function isLayout(record: ExportRecord): boolean {
  return findText(record, 'TemplateType') === 'Layout'
}

const CONTENT = /\{\{\{\s*@content\s*\}\}\}/

function withLayout(
  template: ForeignTemplate,
  record: ExportRecord,
  layouts: readonly ExportRecord[],
): ForeignTemplate {
  const alias = findValue(record, 'LayoutTemplate')
  if (typeof alias !== 'string' || alias === '') return template
  const layout = layouts.find((each) => findText(each, 'Alias') === alias)
  if (layout === undefined) return { ...template, problem: `Its layout ${alias} is not in the file.` }
  const fill = (outer: string | null, inner: string) =>
    outer === null || inner === '' ? inner : outer.replace(CONTENT, () => inner)
  return {
    ...template,
    html: fill(findText(layout, 'HtmlBody'), template.html),
    text: fill(findText(layout, 'TextBody'), template.text),
  }
}
