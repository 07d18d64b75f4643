import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db-types.ts'
import { splitUrl } from '../../src/db/pool.ts'
import { citusUrl } from '../support/citus.ts'
import { createDatabase } from '../support/database.ts'
import { SLOW_POLL_MS, until } from './support/children.ts'
import { createInstallation, START_LIMIT_MS } from './support/installation.ts'
import { keepRunning } from './support/kept.ts'
import { proveNothingIsLost, type Victim } from './support/killing.ts'

const MOVE_MS = 300_000

interface Place {
  name: string
  port: number
}

/** Returns the node of the cell, and another one. */
async function findNodes(server: Db, schema: string): Promise<{ own: Place; other: Place }> {
  const [own] = await server.query<Place>(
    `select nodename as name, nodeport as port from citus_shards where table_name::text like $1 limit 1`,
    [`${schema}.%`],
  )
  const nodes = await server.query<Place>(
    `select node_name as name, node_port::int4 as port from citus_get_active_worker_nodes()`,
  )
  const other = nodes.find(({ port }) => port !== own?.port)
  if (own === undefined || other === undefined) throw new Error('The cluster needs two workers.')
  return { own, other }
}

/** PostgreSQL ends all its sessions and recovers when one of its processes is killed. This one is always there. */
const CHECKPOINTER = `select pid from pg_stat_activity where backend_type = 'checkpointer'`

/**
 * Crashes a node, which runs on this machine.
 * @param pidOf returns the process to kill
 */
function crashOf(name: string, pidOf: () => Promise<number>, isBack: () => Promise<unknown>): Victim {
  return {
    name,
    async kill() {
      const pid = await pidOf()
      const atMs = Date.now()
      process.kill(pid, 'SIGKILL')
      await until(
        `${name} is back`,
        START_LIMIT_MS,
        () =>
          isBack().then(
            () => true,
            () => null,
          ),
        SLOW_POLL_MS,
      )
      return { atMs, backMs: Date.now() }
    },
    delivers: false,
  }
}

test.skipIf(citusUrl === undefined)(
  'nothing is lost while the nodes of a Citus cluster crash, and the cell moves between them',
  { timeout: 900_000 },
  async () => {
    const database = await createDatabase()
    onTestFinished(() => database.drop())
    const server = openDb(citusUrl ?? '', {
      connectionsMax: 2,
      timeoutMs: 30_000,
      statementTimeoutMs: MOVE_MS,
      name: 'journey',
    })
    onTestFinished(() => server.close())
    const schema = splitUrl(database.url).schema ?? ''
    const installation = await createInstallation(database.url)
    onTestFinished(() => installation.remove())
    await installation.mx.start()
    const product = keepRunning(() => installation.serve())
    onTestFinished(() => product.release())
    await product.ready()
    const senders = [await installation.createSender('one.sender.test')]
    const readCell = () => database.db.query('select 1 from team limit 1')

    const coordinator = crashOf(
      'coordinator',
      async () => (await server.query<{ pid: number }>(CHECKPOINTER))[0]?.pid ?? 0,
      readCell,
    )
    const worker = crashOf(
      'worker',
      async () => {
        const { own } = await findNodes(server, schema)
        const [row] = await server.query<{ result: string }>(
          'select result from run_command_on_workers($1) where nodeport = $2',
          [CHECKPOINTER, own.port],
        )
        return Number(row?.result)
      },
      readCell,
    )
    const moves: number[] = []
    const move: Victim = {
      name: 'move',
      async kill() {
        const atMs = Date.now()
        const { other } = await findNodes(server, schema)
        await server.query(
          `select citus_schema_move($1::regnamespace, $2, $3, 'force_logical')`,
          [schema, other.name, other.port],
          { timeoutMs: MOVE_MS },
        )
        moves.push(Date.now() - atMs)
        return { atMs, backMs: Date.now() }
      },
      delivers: false,
    }

    await proveNothingIsLost(installation, senders, [worker, move, coordinator], () => database.url)
    console.log(`moves: ${moves.join(', ')} ms`)
    expect(product.crashes()).toEqual([])
  },
)
