import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Db } from '../../db/db-types.ts'
import { Pieces } from '../../db/pieces.ts'
import { insertCaptured } from '../../emails/read/captured-queries.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { readReturnPath } from '../../mime/return-path.ts'
import { findTeamByTag } from '../../teams/teams-queries.ts'
import type { SmtpTarget } from '../client/smtp-types.ts'

const MESSAGE_BYTES_MAX = 40 * 1024 * 1024
const PAGE_BYTES = 64 * 1024
const LARGE_PAGE_BYTES = 1024 * 1024

export interface CaptureSink {
  target: SmtpTarget
  close(): Promise<void>
}

/**
 * Starts the sink of capture mode: an SMTP server on loopback that stores the messages it receives, so that captured
 * mail takes the same path through the engine as delivered mail. The signed return path identifies the team.
 */
export async function startCaptureSink(deps: {
  db: Db
  clock: Clock
  log: Log
  returnPathKey: Buffer
}): Promise<CaptureSink> {
  const server = new SMTPServer({
    name: 'capture',
    banner: 'Sendwright capture',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MESSAGE_BYTES_MAX,
    disableReverseLookup: true,
    logger: false,
    onMailFrom(address, _session, callback) {
      const isOurs = readReturnPath(deps.returnPathKey, address.address.split('@')[0] ?? '') !== null
      callback(
        isOurs ? null : rejection('This server accepts only mail that Sendwright sends in capture mode'),
      )
    },
    onData(stream, session, callback) {
      const pages = createPages()
      stream.on('data', (part: Buffer) => pages.add(part))
      stream.on('end', () => {
        const mailFrom = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
        const rcptTo = session.envelope.rcptTo[0]?.address ?? ''
        storeCaptured(deps, mailFrom, rcptTo, pages.take()).then(
          () => callback(null, 'captured'),
          (error: unknown) => {
            deps.log.warn({ err: error }, 'could not store a captured message')
            callback(Object.assign(new Error('Try again later'), { responseCode: 451 }))
          },
        )
      })
    },
  })
  server.on('error', (error) => deps.log.debug({ err: error }, 'the capture server failed on a connection'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    // Exclusive: workers of node:cluster would share the port, and one would store the mail of another.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    target: { host: 'capture', address: '127.0.0.1', port },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/**
 * Copies parts into pages. A part may be as small as one line, and each part would keep the memory of its whole chunk.
 */
function createPages() {
  const full: Buffer[] = []
  let page = Buffer.allocUnsafeSlow(PAGE_BYTES)
  let used = 0
  return {
    add(part: Buffer): void {
      for (let at = 0; at < part.length; ) {
        if (used === page.length) {
          full.push(page)
          page = Buffer.allocUnsafeSlow(LARGE_PAGE_BYTES)
          used = 0
        }
        const copied = part.copy(page, used, at)
        used += copied
        at += copied
      }
    },
    take: () => new Pieces([...full, page.subarray(0, used)]),
  }
}

function rejection(message: string): Error {
  return Object.assign(new Error(message), { responseCode: 550 })
}

async function storeCaptured(
  deps: { db: Db; clock: Clock; log: Log; returnPathKey: Buffer },
  mailFrom: string,
  rcptTo: string,
  message: Pieces,
): Promise<void> {
  const path = readReturnPath(deps.returnPathKey, mailFrom.split('@')[0] ?? '')
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
