import { join } from 'node:path'
import { NODE, runChild } from './support/children.ts'
import { type Figure, PRODUCT, type Scale, type Subject } from './support/figure.ts'
import { startMeter } from './support/meter.ts'
import { RUN_LIMIT_MS } from './support/names.ts'

const PROGRAM = join(import.meta.dirname, 'support', 'render-loop.ts')

function engineSubject(name: string, engine: string): Subject {
  return {
    name,
    async measure({ renderCount }: Scale) {
      const meter = startMeter([process.pid], { memory: false })
      const { code, stdout, stderr } = await runChild(NODE, [PROGRAM, engine, `${renderCount}`], {
        timeoutMs: RUN_LIMIT_MS,
      })
      if (code !== 0) throw new Error(stderr.slice(-500))
      const { seconds } = JSON.parse(stdout) as { seconds: number }
      return { values: { rate: renderCount / seconds }, count: renderCount, cost: meter.stop() }
    },
  }
}

export const render: Figure = {
  name: 'render',
  title: 'Render: the html part of one template, 7.6 KB with 39 variables, compiled once',
  measures: { rate: 'renderings/s' },
  subjects: [
    engineSubject('mustache', 'mustache'),
    engineSubject('handlebars', 'handlebars'),
    engineSubject(PRODUCT, 'sendwright'),
  ],
  targets: [],
  note: 'Each engine runs in its own process, with its default escaping, and the result is encoded as bytes. CPU time includes the start of the process.',
}
