import { join } from 'node:path'
import type { Sendwright, Template } from '../../../sdk/src/index.ts'
import { CommandError } from '../failures.ts'
import { diffLines } from './diff-lines.ts'
import {
  filesToFields,
  findChanges,
  folderNameOf,
  listTemplateFolders,
  readTemplateFiles,
  templateToFiles,
  writeTemplateFiles,
} from './template-files.ts'

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

/** Stores templates of the server as files: the named ones, or all. */
export async function pullTemplates(
  client: Sendwright,
  directory: string,
  names: readonly string[],
): Promise<SyncedTemplate[]> {
  const pulled: SyncedTemplate[] = []
  for await (const template of readTemplates(client, names)) {
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

/** Stores files on the server: the named templates, or all in the directory. Equal ones get no new version. */
export async function pushTemplates(
  client: Sendwright,
  directory: string,
  names: readonly string[],
  isDryRun: boolean,
): Promise<SyncedTemplate[]> {
  const pushed: SyncedTemplate[] = []
  for (const name of names.length > 0 ? names : listTemplateFolders(directory)) {
    const folder = join(directory, name)
    const fields = filesToFields(folder, requireFiles(folder))
    const { stored, files } = await compareTemplate(client, directory, name)
    const result = stored === null ? 'created' : files.length > 0 ? 'updated' : 'unchanged'
    const id = isDryRun || result === 'unchanged' ? (stored?.id ?? null) : await store(client, stored, fields)
    pushed.push({ object: 'template_sync', template: name, id, result, files })
  }
  return pushed
}

async function store(
  client: Sendwright,
  stored: Template | null,
  fields: ReturnType<typeof filesToFields>,
): Promise<string> {
  const { id } =
    stored === null
      ? await client.templates.create(fields).orThrow()
      : await client.templates.update(stored.id, fields).orThrow()
  return id
}

/** Compares a folder with the template of its name. */
async function compareTemplate(client: Sendwright, directory: string, name: string) {
  const local = requireFiles(join(directory, name))
  const { data, error } = await client.templates.get(name)
  if (error !== null && error.statusCode !== 404) throw error
  const remote = data === null ? null : templateToFiles(data)
  return { stored: data, local, remote, files: findChanges(remote, local) }
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
): Promise<TemplateDifference[]> {
  const differences: TemplateDifference[] = []
  for (const template of names.length > 0 ? names : listTemplateFolders(directory)) {
    const { local, remote, files } = await compareTemplate(client, directory, template)
    for (const file of files) {
      const lines = diffLines(remote?.[file] ?? '', local[file])
      differences.push({ object: 'template_diff', template, file, lines })
    }
  }
  return differences
}
