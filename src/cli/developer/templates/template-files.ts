import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Template } from '../../../../packages/sdk/src/index.ts'
import { CommandError, codeOf } from '../failures.ts'
import { readTextFile } from '../files.ts'
import { definedOptions } from '../options.ts'
import { formatCell } from '../output.ts'

// A template is a folder of three files. Its name is the alias, or the id of a template without one.

const FIELDS = 'template.json'
const HTML = 'body.html'
const TEXT = 'body.txt'
const FILES = [FIELDS, HTML, TEXT] as const
type FileName = (typeof FILES)[number]

/** The texts of the files; an empty one stands for no file. */
export type TemplateFiles = Readonly<Record<FileName, string>>

/** Returns the file that holds a part of the content. */
export function fileOf(part: Template['warnings'][number]['part']): FileName {
  if (part === 'subject') return FIELDS
  return part === 'html' ? HTML : TEXT
}

/** A name that is a single folder on every system, and not hidden. */
const FOLDER_NAME = /^[A-Za-z0-9][\w.-]*$/

/** Throws CommandError if the server chose a name that could lead out of the directory. */
export function folderNameOf({ id, alias }: { id: string; alias: string | null }): string {
  if (alias !== null && FOLDER_NAME.test(alias)) return alias
  if (FOLDER_NAME.test(id)) return id
  throw new CommandError(
    `The server returned a template whose id cannot be the name of a folder: ${formatCell(id)}. Check its URL: "sendwright profiles" shows it.`,
  )
}

/** The name of the folder of a template without an alias: its id, which the server accepts as no alias. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the server accepts as an alias. */
const ALIAS = /^(?!preview$)[a-z0-9][a-z0-9._-]*$/i

/** Adds the alias that a folder stands for, so that the next push finds the template by the name of the folder. */
export function withFolderAlias(
  name: string,
  fields: TemplateFields,
  stored: Template | null,
): TemplateFields {
  return fields.alias || ID.test(name) ? fields : { ...fields, alias: stored?.alias ?? name }
}

/** Throws CommandError if no template can have this name, as an id or alias. */
export function requireTemplateName(directory: string, name: string): void {
  if (ID.test(name) || ALIAS.test(name)) return
  throw new CommandError(
    `The name of the folder ${join(directory, name)} cannot be an alias. Rename it: use only letters, digits, ".", "-" and "_", begin with a letter or digit, and do not call it "preview".`,
  )
}

/** Throws CommandError if a template, once created, would not be found by the name of its folder, and be created again. */
export function requireOwnName(directory: string, name: string, { alias }: TemplateFields): void {
  const folder = join(directory, name)
  // The file may hold any value.
  if (String(alias).toLowerCase() === name.toLowerCase()) return
  const advice = alias
    ? `The server has no template ${name}, and the alias in ${join(folder, FIELDS)} is "${alias}". Rename the folder to "${alias}".`
    : `The server has no template ${name}. To create it, rename the folder ${folder}: its new name becomes the alias.`
  throw new CommandError(advice)
}

/**
 * Returns the files that a request makes of a template of the server; without one, those of a new template. A field that
 * the request lacks stays as it is.
 */
export function fieldsToFiles(fields: TemplateFields, stored: Template | null): TemplateFiles {
  return templateToFiles({ ...stored, ...definedOptions(fields) } as Template)
}

/** Returns the files of a template of the server, in a form that two equal templates share. */
export function templateToFiles(template: Template): TemplateFiles {
  const { name, alias, subject, from, reply_to, variables } = template
  return {
    [FIELDS]: `${JSON.stringify({ name, alias, subject, from, reply_to, variables }, null, 2)}\n`,
    [HTML]: template.html_content,
    [TEXT]: template.text_content,
  }
}

/** The fields of a template in a request. */
export interface TemplateFields {
  name: string
  subject: string
  alias?: string | null
  from?: string
  reply_to?: string
  variables?: Template['variables']
  html_content: string
  text_content: string
}

/** Returns the request that stores the files. Throws CommandError if they are not valid. */
export function filesToFields(folder: string, files: TemplateFiles): TemplateFields {
  try {
    const { name, alias, subject, from, reply_to, variables } = JSON.parse(files[FIELDS])
    return {
      name,
      alias,
      subject,
      from,
      reply_to,
      variables,
      html_content: files[HTML],
      text_content: files[TEXT],
    }
  } catch (error) {
    throw new CommandError(`${join(folder, FIELDS)} is not valid JSON: ${(error as Error).message}`)
  }
}

/** Returns null if the folder holds no template. */
export function readTemplateFiles(folder: string): TemplateFiles | null {
  const [fields, html, text] = FILES.map((name) => readTextFile(join(folder, name)))
  return fields == null ? null : { [FIELDS]: fields, [HTML]: html ?? '', [TEXT]: text ?? '' }
}

/** Creates a folder with those above it. Throws CommandError. */
export function makeDirectory(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new CommandError(`${folder} cannot be created (${codeOf(error)}).`)
  }
}

export function writeTemplateFiles(folder: string, files: TemplateFiles): void {
  makeDirectory(folder)
  try {
    for (const name of FILES) {
      const file = join(folder, name)
      if (files[name] === '') rmSync(file, { force: true })
      else writeFileSync(file, files[name])
    }
  } catch (error) {
    throw new CommandError(`${folder} cannot be written (${codeOf(error)}).`)
  }
}

/** Returns the names of the folders with a template, sorted. Throws CommandError if the directory cannot be read. */
export function listTemplateDirectories(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readTextFile(join(directory, entry.name, FIELDS)) !== null)
      .map(({ name }) => name)
      .sort()
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      `${directory} cannot be read (${codeOf(error)}). Run "sendwright templates pull" to create it.`,
    )
  }
}

/** Returns the names of the files that differ. */
export function findChanges(before: TemplateFiles | null, after: TemplateFiles | null): FileName[] {
  return FILES.filter((name) => (before?.[name] ?? '') !== (after?.[name] ?? ''))
}
