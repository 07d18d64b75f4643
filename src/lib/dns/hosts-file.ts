import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

const PATH = '/etc/hosts'
const BYTES_MAX = 1024 * 1024
/** How long the parsed file is used without checking it again. */
const CHECK_INTERVAL_MS = 5_000

/** Reads the machine's hosts file, which names containers and development hosts that no DNS server knows. */
export function createHostsFile(path = PATH): (host: string) => readonly string[] {
  let table = new Map<string, string[]>()
  let readMs = 0
  let checkedMs = Number.NEGATIVE_INFINITY

  function readAgain(): void {
    try {
      const { mtimeMs, size } = statSync(path)
      if (mtimeMs === readMs || size > BYTES_MAX) return
      table = parseHosts(readFileSync(path, 'utf8'))
      readMs = mtimeMs
    } catch {
      table = new Map()
      readMs = 0
    }
  }

  return (host) => {
    if (performance.now() - checkedMs > CHECK_INTERVAL_MS) {
      checkedMs = performance.now()
      readAgain()
    }
    return table.get(host.toLowerCase()) ?? []
  }
}

/** hosts(5): one address and its names per line, `#` starts a comment. */
function parseHosts(text: string): Map<string, string[]> {
  const table = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const addresses = table.get(key)
      if (addresses === undefined) table.set(key, [address])
      else addresses.push(address)
    }
  }
  return table
}
