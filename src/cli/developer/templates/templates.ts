import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { Template, TemplatePreview } from '../../../../packages/sdk/src/index.ts'
import { type CommonOptions, connect } from '../connect.ts'
import { addVerb, collectPair } from '../options.ts'
import { createOutput, formatCell, formatText, writeText } from '../output.ts'
import { diffTemplates, pullTemplates, pushTemplates, type TemplateDifference } from './sync-templates.ts'
import { fileOf, filesToFields, readTemplateFiles } from './template-files.ts'

const COLUMNS = ['template', 'result', 'files', 'id']
const DIRECTORY = 'templates'

interface Options extends CommonOptions {
  dir: string
  draft?: boolean
}

async function pull(names: string[], options: Options): Promise<void> {
  const { client } = connect(options)
  createOutput(options).rows(await pullTemplates(client, options.dir, names, options.draft === true), COLUMNS)
}

async function push(names: string[], options: Options & { dryRun?: boolean }): Promise<void> {
  const { client } = connect(options)
  const pushed = await pushTemplates(client, options.dir, names, {
    isDryRun: options.dryRun === true,
    isDraft: options.draft === true,
  })
  createOutput(options).rows(pushed, COLUMNS)
  for (const { template, warnings } of pushed) reportWarnings(template, warnings)
  if (options.dryRun === true) process.stderr.write('Nothing was stored (--dry-run).\n')
}

/** Prints the places that editors and terminals open, on standard error. */
function reportWarnings(template: string, warnings: Template['warnings']): void {
  for (const { part, line, column, message } of warnings) {
    const place = part === 'subject' ? `${fileOf(part)}, subject` : `${fileOf(part)}:${line}:${column}`
    process.stderr.write(`${formatCell(`${template}/${place}: ${message}`)}\n`)
  }
}

async function diff(names: string[], options: Options & { exitCode?: boolean }): Promise<void> {
  const { client } = connect(options)
  const differences = await diffTemplates(client, options.dir, names, options.draft === true)
  if (options.json === true || !process.stdout.isTTY) createOutput(options).blocks(differences)
  else process.stdout.write(formatDifferences(differences))
  if (options.exitCode === true && differences.length > 0) process.exitCode = 1
}

function formatDifferences(differences: readonly TemplateDifference[]): string {
  if (differences.length === 0) return 'No differences.\n'
  return differences
    .flatMap(({ template, file, lines }) => [`${template}/${file}`, ...lines, ''])
    .map((line) => `${formatText(line)}\n`)
    .join('')
}

async function publish(names: string[], options: CommonOptions): Promise<void> {
  const { client } = connect(options)
  const rows: Record<string, unknown>[] = []
  for (const name of names) {
    const { object, id, alias, version, status } = await client.templates.publish(name).orThrow()
    rows.push({ object, id, alias, version, status })
  }
  createOutput(options).rows(rows, ['alias', 'status', 'version', 'id'])
}

interface PreviewOptions extends Options {
  variable?: Record<string, string>
  part?: 'subject' | 'html' | 'text'
  stored?: boolean
}

/** Renders the files of a template or, without files, the one that the server has. */
async function preview(name: string, options: PreviewOptions): Promise<void> {
  const { client } = connect(options)
  const folder = join(options.dir, name)
  const files = options.stored === true ? null : readTemplateFiles(folder)
  const shared = { variables: options.variable ?? {}, allow_missing: true }
  if (files === null) return printPreview(await client.templates.preview(name, shared).orThrow(), options)
  const { subject, html_content, text_content, variables = [] } = filesToFields(folder, files)
  const content = { subject, html_content, text_content, variable_definitions: variables }
  printPreview(await client.templates.previewContent({ ...shared, ...content }).orThrow(), options)
}

function printPreview(preview: TemplatePreview, options: PreviewOptions): void {
  if (options.part === undefined) createOutput(options).record(preview)
  else writeText(`${preview[options.part] ?? ''}\n`)
}

export function templatesCommand(): Command {
  const templates = new Command('templates').description('Keep templates as files, for example in Git')
  const verb = (name: string, description: string) =>
    addVerb(templates, name, description).option('--dir <path>', 'the folder of the files', DIRECTORY)
  verb('pull', 'write templates of the server to files')
    .argument('[names...]', 'ids or aliases; by default all')
    .option('--draft', 'with unpublished changes')
    .action(pull)
  verb('push', 'store files on the server; a template that differs gets a new version')
    .argument('[names...]', 'names of folders; by default all')
    .option('--dry-run', 'only show what would change')
    .option('--draft', 'store drafts, which emails do not use until you publish them')
    .action(push)
  verb('diff', 'compare files with the server')
    .argument('[names...]', 'names of folders; by default all')
    .option('--exit-code', 'exit with 1 if there are differences')
    .option('--draft', 'compare with unpublished changes')
    .action(diff)
  addVerb(templates, 'publish', 'publish templates with their drafts')
    .argument('<names...>', 'ids or aliases')
    .action(publish)
  verb('preview', 'render a template from its files or, without files, from the server')
    .argument('<name>', 'the name of its folder, or its id or alias')
    .option('--variable <name=value>', 'may be repeated', collectPair)
    .option('--stored', 'render what the server has, even if there are files')
    .addOption(
      new Option('--part <part>', 'print only this part')
        .choices(['subject', 'html', 'text'])
        .conflicts('json'),
    )
    .action(preview)
  return templates
}
