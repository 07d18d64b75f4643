/**
 * `npm run bench -- fairness`, and the other figures of a server under steady load, each measured beside its
 * control in one run. At full size, each figure takes minutes. `--scale 0.05` checks that the benchmark works.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeRun } from '../support/machine.ts'
import { automations } from './automations.ts'
import { campaign } from './campaign.ts'
import { claim } from './claim.ts'
import { classes } from './classes.ts'
import { fairness } from './fairness.ts'
import { largeBesideSmall } from './large-beside-small.ts'
import { outage } from './outage.ts'
import { formatOutcome, type SteadyFigure } from './outcome.ts'
import { overload } from './overload.ts'
import { recovery } from './recovery.ts'
import { replacePart } from './report.ts'
import { scheduled } from './scheduled.ts'
import { slowSites } from './slow-sites.ts'
import { webhooks } from './webhooks.ts'

const FIGURES: readonly SteadyFigure[] = [
  fairness,
  classes,
  campaign,
  slowSites,
  outage,
  overload,
  claim,
  scheduled,
  largeBesideSmall,
  webhooks,
  recovery,
  automations,
]
export const STEADY_NAMES: readonly string[] = FIGURES.map(({ name }) => name)
const RESULTS_PATH = join(import.meta.dirname, '..', 'RESULTS.md')
const QUICK_SCALE = 0.05

/** Returns the exit code: 1 if a target was missed. */
export async function runSteady(name: string, args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, scale: { type: 'string' } },
  })
  const scale = Number(values.scale ?? (values.quick ? QUICK_SCALE : 1))
  const figure = FIGURES.find((one) => one.name === name)
  if (figure === undefined || !(scale > 0 && scale <= 10))
    throw new Error('--scale takes a number above 0, at most 10.')
  const progress = (text: string) => process.stderr.write(`${figure.name}: ${text}\n`)
  const outcome = await figure.run({ scale, progress })
  process.stdout.write(`\n${formatOutcome(outcome)}\n`)
  if (scale === 1) {
    const page = readFileSync(RESULTS_PATH, 'utf8')
    writeFileSync(RESULTS_PATH, replacePart(page, figure, outcome, describeRun(name)))
  }
  return outcome.verdicts.every(({ isMet }) => isMet) ? 0 : 1
}
