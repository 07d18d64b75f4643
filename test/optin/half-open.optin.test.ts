import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FAR, installNetworks, makeNetwork } from './support/network.ts'

const absent = await installNetworks()
if (absent !== null) process.stderr.write(`${absent}\n`)

const NOTICED_WITHIN_SECONDS = 30

test.skipIf(absent !== null)(
  'a server that vanishes silently is detected within 30 s; a slow one is not',
  {
    timeout: 400_000,
  },
  async () => {
    const network = makeNetwork()
    onTestFinished(() => network.close())
    const far = network.runScript('far', join(import.meta.dirname, 'support', 'far-program.ts'), [FAR.v4])
    await far.waitForLine('listening', 30_000)
    onTestFinished(async () => {
      far.signal('SIGTERM')
      await far.ended
    })
    const program = network.runScript('near', join(import.meta.dirname, 'support', 'half-open-program.ts'), [
      network.far,
    ])
    const told = JSON.parse(await program.waitForLine('{"idle"', 390_000)) as Record<string, number>
    console.log(
      `noticed after: idle ${told.idle} s, used again ${told.usedAgain} s, under way ${told.underWay} s ` +
        `(${told.hanging} conversations, ${told.kept} of them kept while the server was only slow)`,
    )
    expect(told.idle).toBeLessThan(NOTICED_WITHIN_SECONDS)
    expect(told.usedAgain).toBeLessThan(NOTICED_WITHIN_SECONDS)
    expect(told.underWay).toBeLessThan(NOTICED_WITHIN_SECONDS)
    expect(told.hanging).toBe(2)
    expect(told.kept).toBe(2)
    // The message on the dead connection was delivered once.
    expect(far.lines.filter((line) => line === 'mail for again@to.test')).toHaveLength(1)
  },
)
