import { once } from 'node:events'
import { Command } from 'commander'
import { openBodies } from '../../../app/bodies.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { createHashAddress } from '../../../lib/crypto/erased-address.ts'
import { createLog } from '../../../lib/log.ts'
import { exportPerson } from '../../../privacy/erasure/export-person.ts'
import { escapeJson } from '../../developer/output.ts'
import { readId } from '../installation/arguments.ts'
import { type Installation, openInstallationSecret, withInstallation } from '../installation/installation.ts'
import { findTraces, readPerson } from './person.ts'

export function exportPersonCommand(): Command {
  return new Command('export-person')
    .description('write all data of a person to standard output: a JSON array with one object for each team')
    .argument('<address>', 'the email address of the person', readPerson)
    .option('--team <id>', 'only for this team', readId)
    .action(async (address: string, options: { team?: string }) => {
      await withInstallation((installation) => write(installation, address, options.team))
    })
}

async function write(installation: Installation, address: string, teamId: string | undefined): Promise<void> {
  const { config, db, clock } = installation
  const secret = await openInstallationSecret(installation)
  const hashAddress = createHashAddress(secret)
  const traces = await findTraces(installation, hashAddress, address, teamId)
  if (traces.length === 0) throw new ApiError('not_found', 'No data was found for this address.')
  const { read: readBody } = openBodies({ config, secret, db, log: createLog('error', process.stderr) })
  const deps = { db, readBody, hashAddress, inTurn: <T>(_: number, read: () => Promise<T>) => read() }
  let separator = '['
  for (const team of traces) {
    await put(`${separator}\n{"team_id":"${team.teamId}","person":`)
    for await (const chunk of exportPerson(deps, team.teamId, address, clock.now())) await put(chunk)
    await put('}')
    separator = ','
  }
  await put(']\n')
}

/** Writes JSON to standard output and waits while its buffer is full. */
async function put(json: string): Promise<void> {
  if (!process.stdout.write(escapeJson(json))) await once(process.stdout, 'drain')
}
