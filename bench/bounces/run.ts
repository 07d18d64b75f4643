import { parseArgs } from 'node:util'
import { readDsnSet, scoreDsns } from '../../test/support/dsn-set.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { mistakes: { type: 'boolean', default: false } },
})
const share = (count: number, of: number) => (of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} %`)

/** Prints how well a set of messages is classified. With `--mistakes`, also prints a line for each mistake. */
function report(folder: string): void {
  const { messages, hard, notHard, recipients, complaints } = scoreDsns(readDsnSet(folder))
  const found = hard.wanted - hard.missed.length
  const right = recipients.messages - recipients.wrong.length
  const heard = complaints.wanted - complaints.missed.length
  const mistaken = notHard.mistaken.length
  const lines = [
    `messages              ${messages}`,
    `found hard            ${found} of ${hard.wanted}, ${share(found, hard.wanted)}`,
    `falsely hard          ${mistaken} of ${notHard.wanted}, ${share(mistaken, notHard.wanted)}`,
    `right recipients      ${right} of ${recipients.messages} messages, ${share(right, recipients.messages)}`,
    `complaints            ${heard} of ${complaints.wanted}, ${share(heard, complaints.wanted)}`,
  ]
  if (values.mistakes) {
    const kinds = {
      missed: hard.missed,
      'falsely hard': notHard.mistaken,
      recipients: recipients.wrong,
      complaints: complaints.missed,
    }
    for (const [kind, list] of Object.entries(kinds)) lines.push(...list.map((line) => `${kind}: ${line}`))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

const [folder] = positionals
if (folder === undefined) {
  process.stderr.write('Usage: node bin/score-bounces.mjs DIRECTORY [--mistakes]\n')
  process.exitCode = 2
} else report(folder)
