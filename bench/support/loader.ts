import pg from 'pg'

/** Connects to a database to fill it: without waiting for the disk, without JIT, and with times in UTC. */
export async function connectLoader(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c synchronous_commit=off -c jit=off -c timezone=UTC',
  })
  await client.connect()
  return client
}

/** Returns the team of a domain. */
export async function findTeamId(client: pg.Client, domainId: string): Promise<string> {
  const { rows } = await client.query<{ team_id: string }>('select team_id from domain where id = $1', [
    domainId,
  ])
  if (rows[0] === undefined) throw new Error(`domain ${domainId} has no team`)
  return rows[0].team_id
}
