import { createSocket } from 'node:dgram'
import { type Finding, note, ok, problem, reasonOf, warning } from './finding.ts'

const TIMEOUT_MS = 3000
const PORT = 123
/** Seconds from 1900 (NTP's era, RFC 5905 section 6) to 1970. */
const EPOCH_SECONDS = 2_208_988_800
const ADVICE =
  'Run a time service (chrony, systemd-timesyncd): schedules, leases and DKIM signatures bear its times.'
const OFF_WARNING_MS = 1000
const OFF_PROBLEM_MS = 60_000

/** How far this machine's clock is from a time server's (SNTP, RFC 4330); `server` is `host` or `host:port`. */
export async function checkClock(server: string): Promise<Finding> {
  const check = `clock against ${server}`
  try {
    return checkOffset(check, await askOffset(server))
  } catch (error) {
    return note(
      check,
      `${server} did not say the time: ${reasonOf(error)}.`,
      'Name a time server that this machine may ask with --ntp.',
    )
  }
}

/** The database's clock beside ours: several machines must agree within a second or so. */
export function checkDatabaseClock(offsetMs: number): Finding {
  return checkOffset("clock against the database's", offsetMs)
}

function checkOffset(check: string, offsetMs: number): Finding {
  const off = Math.abs(offsetMs)
  const found = `It is ${(off / 1000).toFixed(3)} s ${offsetMs < 0 ? 'behind' : 'ahead'}.`
  if (off < OFF_WARNING_MS) return ok(check, found)
  return off < OFF_PROBLEM_MS ? warning(check, found, ADVICE) : problem(check, found, ADVICE)
}

/** Milliseconds that our clock is ahead. */
function askOffset(server: string): Promise<number> {
  const [, host = server, port] = /^(.*?)(?::(\d+))?$/.exec(server) ?? []
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    const timer = setTimeout(() => finish(() => reject(new Error('no answer in time'))), TIMEOUT_MS)
    const finish = (then: () => void) => {
      clearTimeout(timer)
      socket.close()
      then()
    }
    const sentAtMs = Date.now()
    socket.on('error', (error) => finish(() => reject(error)))
    socket.on('message', (answer) => {
      const receivedAtMs = Date.now()
      if (answer.length < 48) return
      const theirsMs = (timestampMs(answer, 32) + timestampMs(answer, 40)) / 2
      finish(() => resolve((sentAtMs + receivedAtMs) / 2 - theirsMs))
    })
    const question = Buffer.alloc(48)
    // Version 4, client.
    question[0] = 0x23
    socket.send(question, Number(port ?? PORT), host, (error) => {
      if (error !== null) finish(() => reject(error))
    })
  })
}

function timestampMs(packet: Buffer, at: number): number {
  return (packet.readUInt32BE(at) - EPOCH_SECONDS) * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000
}
