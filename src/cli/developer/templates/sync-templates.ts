import { join } from 'node:path'
import type { Sendwright, Template } from '../../../../packages/sdk/src/index.ts'
import { CommandError } from '../failures.ts'
import { definedOptions } from '../options.ts'
import { diffLines } from './diff-lines.ts'
import {
  fieldsToFiles,
  filesToFields,
  findChanges,
  folderNameOf,
  listTemplateDirectories,
  makeDirectory,
  readTemplateFiles,
  requireOwnName,
  requireTemplateName,
  type TemplateFields,
  templateToFiles,
  withFolderAlias,
  writeTemplateFiles,
} from './template-files.ts'

type Warnings = Template['warnings']

const PAGE_SIZE = 100

/** What happened to one template. */
export type SyncedTemplate = {
  object: 'template_sync'
  template: string
  id: string | null
  result: 'created' | 'updated' | 'unchanged'
  /** The files that differed. */
  files: string[]
}

export type PushedTemplate = SyncedTemplate & {
  /** What looks like a placeholder and is none, in a template that was pushed. */
  warnings: Warnings
}

/**
 * Stores templates of the server as files: the named ones, or all.
 * @param isDraft with their unpublished changes
 */
export async function pullTemplates(
  client: Sendwright,
  directory: string,
  names: readonly string[],
  isDraft: boolean,
): Promise<SyncedTemplate[]> {
  const pulled: SyncedTemplate[] = []
  // A team without templates gets the folder too, in which to create the first one.
  makeDirectory(directory)
  for await (const stored of readTemplates(client, names)) {
    const template = isDraft ? await withDraft(client, stored) : stored
    const folder = join(directory, folderNameOf(template))
    const before = readTemplateFiles(folder)
    const after = templateToFiles(template)
    const files = findChanges(before, after)
    if (files.length > 0) writeTemplateFiles(folder, after)
    const result = before === null ? 'created' : files.length > 0 ? 'updated' : 'unchanged'
    pulled.push({ object: 'template_sync', template: folderNameOf(template), id: template.id, result, files })
  }
  return pulled
}

async function* readTemplates(client: Sendwright, names: readonly string[]): AsyncGenerator<Template> {
  if (names.length > 0) {
    for (const name of names) yield await client.templates.get(name).orThrow()
    return
  }
  for await (const { id } of client.templates.list({ limit: PAGE_SIZE })) {
    yield await client.templates.get(id).orThrow()
  }
}

/** Returns the template with its unpublished changes, if it has any. */
async function withDraft(client: Sendwright, template: Template): Promise<Template> {
  if (!template.has_unpublished_versions) return template
  const { subject, html_content, text_content, reply_to, variables, sender } = await client.templates
    .getDraft(template.id)
    .orThrow()
  const from = `${sender.name} <${sender.email}>`
  return { ...template, subject, html_content, text_content, reply_to, variables, from }
}

const NEEDS_FROM =
  'A new template needs "from" in its template.json, for example "Shop <orders@example.com>".'

interface PushOptions {
  isDryRun: boolean
  /** Stores drafts, which emails do not use until they are published. */
  isDraft: boolean
}

/** Stores files on the server: the named templates, or all in the directory. Equal ones get no new version. */
export async function pushTemplates(
  client: Sendwright,
  directory: string,
  names: readonly string[],
  { isDryRun, isDraft }: PushOptions,
): Promise<PushedTemplate[]> {
  const pushed: PushedTemplate[] = []
  for (const name of names.length > 0 ? names : listTemplateDirectories(directory)) {
    requireTemplateName(directory, name)
    const { stored, fields, files } = await compareTemplate(client, directory, name, isDraft)
    if (stored === null) requireOwnName(directory, name, fields)
    if (stored === null && fields.from === undefined) throw new CommandError(NEEDS_FROM)
    const result = stored === null ? 'created' : files.length > 0 ? 'updated' : 'unchanged'
    const outcome = { id: stored?.id ?? null, warnings: [] }
    const { id, warnings } = isDryRun
      ? { ...outcome, warnings: await checkContent(client, fields) }
      : result === 'unchanged'
        ? outcome
        : await (isDraft ? storeDraft : store)(client, stored, fields)
    pushed.push({ object: 'template_sync', template: name, id, result, files, warnings })
  }
  return pushed
}

/** Returns the warnings of the server, or throws its error, without storing the content. */
async function checkContent(client: Sendwright, fields: TemplateFields): Promise<Warnings> {
  const { subject, html_content, text_content, variables = [] } = fields
  const content = {
    subject,
    html_content,
    text_content,
    variable_definitions: variables,
    allow_missing: true,
  }
  return (await client.templates.previewContent(content).orThrow()).warnings
}

type Stored = Pick<Template, 'id' | 'warnings'>

function store(client: Sendwright, stored: Template | null, fields: TemplateFields): Promise<Stored> {
  return stored === null
    ? client.templates.create(fields).orThrow()
    : client.templates.update(stored.id, fields).orThrow()
}

/** Name and alias are no part of a draft, and change at once. */
async function storeDraft(
  client: Sendwright,
  stored: Template | null,
  fields: TemplateFields,
): Promise<Stored> {
  if (stored === null) return client.templates.create({ ...fields, status: 'draft' }).orThrow()
  const { name, alias, ...content } = fields
  const names = definedOptions({ name, alias })
  if (Object.entries(names).some(([field, value]) => value !== stored[field as 'name' | 'alias'])) {
    await client.templates.update(stored.id, names).orThrow()
  }
  const { warnings } = await client.templates
    .saveDraft(stored.id, { ...content, base_version: stored.version })
    .orThrow()
  return { id: stored.id, warnings }
}

/** Compares what a push of a folder stores with the template of its name. */
async function compareTemplate(client: Sendwright, directory: string, name: string, isDraft: boolean) {
  const folder = join(directory, name)
  const written = filesToFields(folder, requireFiles(folder))
  const { data: stored, error } = await client.templates.get(name)
  if (error !== null && error.statusCode !== 404) throw error
  const current = stored !== null && isDraft ? await withDraft(client, stored) : stored
  const fields = withFolderAlias(name, written, stored)
  const local = fieldsToFiles(fields, current)
  const remote = current === null ? null : templateToFiles(current)
  return { stored, fields, local, remote, files: findChanges(remote, local) }
}

function requireFiles(folder: string) {
  const files = readTemplateFiles(folder)
  if (files === null) throw new CommandError(`There is no template in ${folder}: it needs a template.json.`)
  return files
}

/** The difference of one file between the server and the directory. */
export type TemplateDifference = {
  object: 'template_diff'
  template: string
  file: string
  /** Lines with their sign: `-` is on the server, `+` in the directory. */
  lines: string[]
}

/** Compares files with the server: the named templates, or all in the directory. */
export async function diffTemplates(
  client: Sendwright,
  directory: string,
  names: readonly string[],
  isDraft: boolean,
): Promise<TemplateDifference[]> {
  const differences: TemplateDifference[] = []
  for (const template of names.length > 0 ? names : listTemplateDirectories(directory)) {
    const { local, remote, files } = await compareTemplate(client, directory, template, isDraft)
    for (const file of files) {
      const lines = diffLines(remote?.[file] ?? '', local[file])
      differences.push({ object: 'template_diff', template, file, lines })
    }
  }
  return differences
}
