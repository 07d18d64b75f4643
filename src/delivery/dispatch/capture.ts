import type { Db } from '../../db/db-types.ts'
import { Pieces } from '../../db/pieces.ts'
import { insertCaptured } from '../../emails/read/captured-queries.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readReturnPath } from '../../mime/return-path.ts'
import { startSmtpListener } from '../../smtp/server/smtp-listener.ts'
import { reply, type SmtpHandlers } from '../../smtp/server/smtp-types.ts'
import { findTeamByTag } from '../../teams/teams-queries.ts'
import type { SmtpTarget } from '../client/smtp-types.ts'

const MESSAGE_BYTES_MAX = 40 * 1024 * 1024
/** All connections come from this process. */
const CONNECTIONS_MAX = 1000
const REJECTION = reply(550, '5.7.1', 'This server accepts only mail that Sendwright sends in capture mode')

interface CaptureDeps {
  db: Db
  clock: Clock
  log: Log
  returnPathKey: Buffer
}

export interface CaptureSink {
  target: SmtpTarget
  close(): Promise<void>
}

/**
 * Starts the sink of capture mode: an SMTP server on loopback that stores the messages it receives, so that captured
 * mail takes the same path through the engine as delivered mail. The signed return path identifies the team.
 */
export async function startCaptureSink(deps: CaptureDeps): Promise<CaptureSink> {
  const listener = await startSmtpListener({
    name: 'capture',
    hostname: 'capture',
    host: '127.0.0.1',
    port: 0,
    // Workers of node:cluster would share the port, and one would store the mail of another.
    isExclusive: true,
    tls: null,
    limits: {
      connectionsMax: CONNECTIONS_MAX,
      connectionsPerAddressMax: CONNECTIONS_MAX,
      messageBytesMax: MESSAGE_BYTES_MAX,
      greetingDelayMs: 0,
      idleCommandsMax: CONNECTIONS_MAX,
    },
    log: deps.log,
    open: () => receive(deps),
  })
  return {
    target: { host: 'capture', address: '127.0.0.1', port: listener.port },
    close: () => listener.close(),
  }
}

/** Returns the command handlers of one connection. */
function receive(deps: CaptureDeps): SmtpHandlers {
  let team = ''
  return {
    async onMail({ address }) {
      const path = readToken(deps, address)
      team = path?.teamTag ?? ''
      return path === null ? REJECTION : null
    },
    onRcpt: async () => null,
    async onMessage({ sender, recipients }, content) {
      await storeCaptured(deps, sender.address, recipients[0]?.address ?? '', new Pieces([content]))
      return reply(250, '2.0.0', 'captured')
    },
    owner: () => team,
  }
}

/** Returns what the signed local part of a return path says, or null if it is not ours. */
function readToken({ returnPathKey }: CaptureDeps, returnPath: string) {
  return readReturnPath(returnPathKey, returnPath.split('@')[0] ?? '')
}

async function storeCaptured(
  deps: CaptureDeps,
  mailFrom: string,
  rcptTo: string,
  message: Pieces,
): Promise<void> {
  const path = readToken(deps, mailFrom)
  if (path === null) throw new Error('The return path has no valid token.')
  const teamId = await findTeamByTag(deps.db, path.teamTag)
  if (teamId === null) throw new Error('The team of the return path does not exist.')
  const now = deps.clock.now()
  const isStored = await insertCaptured(deps.db, {
    teamId,
    id: newId(now.getTime()),
    emailId: path.emailId,
    mailFrom,
    rcptTo,
    message,
    receivedAt: now,
  })
  if (!isStored) {
    deps.log.warn({ email_id: path.emailId }, 'capture mode dropped queued account mail')
  }
}
