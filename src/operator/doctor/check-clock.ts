import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { type Finding, note, ok, problem, reasonOf, warning } from './finding.ts'

const TIMEOUT_MS = 3000
const PORT = 123
/** Seconds from 1900 (NTP's era, RFC 5905 section 6) to 1970. */
const EPOCH_SECONDS = 2_208_988_800
const ADVICE =
  'Run a time service (chrony, systemd-timesyncd). Schedules, leases and DKIM signatures depend on the clock.'
const OFF_WARNING_MS = 1000
const OFF_PROBLEM_MS = 60_000

/** Errors of a machine that reaches no server at all, or no name server. */
const NO_NETWORK: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENOTFOUND', 'ENETUNREACH', 'EHOSTUNREACH'])

/** Returns the address of a host. */
type FindAddress = (host: string) => Promise<string>

const findInSystem: FindAddress = async (host) => (await lookup(host, 4)).address

/**
 * Checks this machine's clock against a time server (SNTP, RFC 4330). `server` is `host` or `host:port`.
 * @param find replaces the look-up of the host by the system
 */
export async function checkClock(server: string, find = findInSystem): Promise<Finding> {
  const check = `clock against ${server}`
  try {
    return checkOffset(check, await queryOffset(server, find))
  } catch (error) {
    const isOffline = NO_NETWORK.has((error as NodeJS.ErrnoException).code ?? '')
    return note(
      check,
      `${server} did not return the time: ${reasonOf(error)}.`,
      isOffline
        ? 'Check the network and the name servers of this machine.'
        : 'Pass a time server that this machine can reach with --ntp.',
    )
  }
}

/** Checks this machine's clock against the database's. All machines must agree to within about a second. */
export function checkDatabaseClock(offsetMs: number): Finding {
  return checkOffset("clock against the database's", offsetMs)
}

function checkOffset(check: string, offsetMs: number): Finding {
  const off = Math.abs(offsetMs)
  const found = `It is ${(off / 1000).toFixed(3)} s ${offsetMs < 0 ? 'behind' : 'ahead'}.`
  if (off < OFF_WARNING_MS) return ok(check, found)
  return off < OFF_PROBLEM_MS ? warning(check, found, ADVICE) : problem(check, found, ADVICE)
}

/** Resolves to the number of milliseconds that this machine's clock is ahead. */
function queryOffset(server: string, find: FindAddress): Promise<number> {
  const [, host = server, port] = /^(.*?)(?::(\d+))?$/.exec(server) ?? []
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    const timer = setTimeout(() => finish(() => reject(new Error('no answer in time'))), TIMEOUT_MS)
    let isOver = false
    const finish = (then: () => void) => {
      // The look-up of the name may fail after the time is over, when the socket is already closed.
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.close()
      then()
    }
    let sentAtMs = 0
    socket.on('error', (error) => finish(() => reject(error)))
    socket.on('message', (answer) => {
      const receivedAtMs = Date.now()
      if (answer.length < 48) return
      if (!isUsable(answer)) return finish(() => reject(new Error(UNUSABLE)))
      const theirsMs = (timestampMs(answer, 32) + timestampMs(answer, 40)) / 2
      finish(() => resolve((sentAtMs + receivedAtMs) / 2 - theirsMs))
    })
    const question = Buffer.alloc(48)
    // Version 4, client.
    question[0] = 0x23
    const send = (address: string) => {
      if (isOver) return
      timer.refresh()
      // Not before the look-up, which can take seconds.
      sentAtMs = Date.now()
      socket.send(question, Number(port ?? PORT), address, (error) => {
        if (error !== null) finish(() => reject(error))
      })
    }
    find(host)
      .then(send)
      .catch((error: unknown) => finish(() => reject(error)))
  })
}

const UNUSABLE = 'its own clock is not set, or it refuses to answer'

/**
 * Returns whether an answer has a time. The stratum is 0 in a refusal ("kiss of death"), and 16 while the server's clock is
 * not synchronized (RFC 4330 section 4, RFC 5905 section 7.3).
 */
function isUsable(answer: Buffer): boolean {
  const stratum = answer.readUInt8(1)
  return stratum > 0 && stratum < 16 && answer.readBigUInt64BE(40) !== 0n
}

function timestampMs(packet: Buffer, at: number): number {
  return (packet.readUInt32BE(at) - EPOCH_SECONDS) * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000
}
