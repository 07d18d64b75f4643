import { rmSync } from 'node:fs'
import type { TestContext } from 'vitest'
import type { Child } from './children.ts'
import {
  createInstallation,
  type Installation,
  makeDirectory,
  START_LIMIT_MS,
  STARTED,
} from './installation.ts'
import { createPostgres, type JourneyPostgres } from './postgres.ts'

export interface RunningServer {
  directory: string
  postgres: JourneyPostgres
  installation: Installation
  server: Child
}

/** Starts a server with a PostgreSQL that the journey controls. Removes both when the test ends. */
export async function startServerOverPostgres(atEnd: TestContext['onTestFinished']): Promise<RunningServer> {
  const directory = makeDirectory()
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  const postgres = await createPostgres(directory)
  atEnd(() => postgres.stop())
  await postgres.start()
  const installation = await createInstallation(postgres.url)
  atEnd(() => installation.remove())
  await installation.mx.start()
  const server = installation.serve()
  await server.waitForLine(STARTED, START_LIMIT_MS)
  return { directory, postgres, installation, server }
}
