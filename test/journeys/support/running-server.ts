import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { Child } from './children.ts'
import {
  createInstallation,
  type Installation,
  makeDirectory,
  START_LIMIT_MS,
  STARTED,
} from './installation.ts'
import { createPostgres, type JourneyPostgres, type PostgresOptions } from './postgres.ts'

export interface RunningServer {
  directory: string
  postgres: JourneyPostgres
  installation: Installation
  server: Child
  /** Stops both, and removes their files. */
  remove(): Promise<void>
}

/** Starts a server with a PostgreSQL that the journey controls. */
export async function startServerOverPostgres(): Promise<RunningServer> {
  const directory = makeDirectory()
  const postgres = await createPostgres(directory)
  await postgres.start()
  const installation = await createInstallation(postgres.url)
  await installation.mx.start()
  const server = installation.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  return {
    directory,
    postgres,
    installation,
    server,
    async remove() {
      await installation.remove()
      await postgres.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Creates an installation over a running PostgreSQL that the journey controls. Both end with the test. */
export async function givenInstallation(
  options: PostgresOptions = {},
): Promise<{ postgres: JourneyPostgres; installation: Installation }> {
  const directory = makeDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await createPostgres(directory, options)
  onTestFinished(() => postgres.stop())
  await postgres.start()
  const installation = await createInstallation(postgres.url)
  onTestFinished(() => installation.remove())
  return { postgres, installation }
}
