/**
 * Renders the HTML of one template repeatedly, after it was compiled once. Each engine runs in a separate
 * process, so that none is affected by code that V8 has optimized for another. Arguments: the engine, and the
 * number of repetitions.
 */
import Handlebars from 'handlebars'
import Mustache from 'mustache'
import { compileTemplate, renderTemplate } from '../../src/templates/render-template.ts'
import { makeTemplate } from './template.ts'

const template = makeTemplate()

const ENGINES: Record<string, () => (values: Record<string, string>) => string> = {
  sendwright: () => {
    const { subject, html, text } = template
    const compiled = compileTemplate({ subject, html, text, variables: [] })
    return (values) => renderTemplate(compiled, values, ['html'], 'variables').html ?? ''
  },
  mustache: () => {
    // Parsing stores the template in Mustache's cache, with the text as its key.
    Mustache.parse(template.html)
    return (values) => Mustache.render(template.html, values)
  },
  handlebars: () => {
    const compiled = Handlebars.compile(template.html)
    return (values) => compiled(values)
  },
}

const [engine = '', countText = '0'] = process.argv.slice(2)
const start = ENGINES[engine]
if (start === undefined) throw new Error(`no such engine: ${engine}`)
const render = start()
const count = Number(countText)

/** Renders to bytes, because an engine that only concatenates strings would defer part of its work. */
function run(times: number): number {
  let bytes = 0
  for (let number = 0; number < times; number++) {
    bytes += Buffer.from(render({ ...template.variables, NUMBER: String(number).padStart(8, '0') })).length
  }
  return bytes
}

run(Math.ceil(count / 10))
const startedMs = performance.now()
const bytes = run(count)
const seconds = (performance.now() - startedMs) / 1000
process.stdout.write(JSON.stringify({ seconds, bytes }))
