/**
 * Renders the html of one template over and over, as an engine does after it has compiled it once: a process of its own, so
 * that no engine runs in what another has made of the machine code. Arguments: the engine, how many times.
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
    // Its cache holds the parsed template under the text.
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

/** Bytes are asked for: an engine that only strings pieces together has not finished yet. */
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
