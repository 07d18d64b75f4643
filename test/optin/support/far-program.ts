import { createServer } from 'node:http'
import type { Readable } from 'node:stream'
import { SMTPServer } from 'smtp-server'

/**
 * The rest of the Internet: receives mail for all domains and serves files, at the given addresses. Prints what it
 * received. Mail for `hold@` is read but never gets a reply; mail for `slow@` is read so slowly that it takes
 * minutes.
 */
const addresses = process.argv.slice(2)
const PART_EVERY_MS = 300

function readLater(stream: Readable): void {
  stream.pause()
  setTimeout(() => stream.resume(), PART_EVERY_MS)
}

for (const address of addresses) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: 60_000_000,
    socketTimeout: 600_000,
    logger: false,
    onData(stream, session, callback) {
      const [to = ''] = session.envelope.rcptTo.map(({ address: path }) => path)
      if (/^(hold|slow)@/.test(to)) console.log(to.slice(0, 4))
      if (to.startsWith('slow@')) stream.on('data', () => readLater(stream))
      else stream.resume()
      if (to.startsWith('hold@')) return
      stream.on('end', () => {
        console.log(`mail for ${to}`)
        callback(null, 'kept')
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(25, address, resolve))
  const files = createServer((request, response) => {
    console.log(`file ${request.url}`)
    response.end('a file')
  })
  await new Promise<void>((resolve) => files.listen(80, address, resolve))
}
console.log('listening')
process.on('disconnect', () => process.exit())
