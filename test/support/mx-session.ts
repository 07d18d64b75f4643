import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type MxMessage, type MxOptions, type MxRow, testTls } from './mx-script.ts'

const USUAL_CAPABILITIES = ['PIPELINING', 'SIZE 37500000', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES']
const END = Buffer.from('\r\n.\r\n')

/** The state that all connections of one server share. */
export interface MxWorld {
  options: MxOptions
  rows: (MxRow & { left: number })[]
  recipients: Record<string, string>
  commands: { connection: number; line: string }[]
  contents: MxMessage[]
  messages: MxMessage[]
  /** Called when something was received. */
  wake(): void
}

/** One connection of the server, as a small SMTP state machine written independently of the client. */
export class MxSession {
  readonly #mx: MxWorld
  readonly #connection: number
  #socket: Socket
  #rest: Buffer = Buffer.alloc(0)
  #content: Buffer[] | null = null
  #tail: Buffer = Buffer.alloc(0)
  /** The current chunk (RFC 3030) and the previous ones. */
  #chunk: { line: string; left: number } | null = null
  #chunks: Buffer[] = []
  /** A chunk was rejected, and so are all others until RSET. */
  #isBroken = false
  #greeted = false
  #from: string | null = null
  #parameters = ''
  #to: string[] = []
  #tls: string | null = null
  #user: string | null = null
  #login: string[] | null = null

  constructor(mx: MxWorld, socket: Socket, connection: number) {
    this.#mx = mx
    this.#connection = connection
    this.#socket = socket
    if (mx.options.implicitTls === true) this.#secure('<connect>', '220 mx.test ESMTP')
    else {
      this.#attach(socket)
      this.#moment('<connect>', '220 mx.test ESMTP')
    }
  }

  #attach(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => {})
  }

  #row(moment: string): MxRow | null {
    const row = this.#mx.rows.find(({ expect, left }) => {
      if (left <= 0) return false
      return typeof expect === 'string'
        ? moment.toLowerCase().startsWith(expect.toLowerCase())
        : expect.test(moment)
    })
    if (row === undefined) return null
    row.left--
    return row
  }

  /** Replies by the script, or else with the default. Returns the reply. */
  #moment(moment: string, usual: string | null): string | null {
    const row = this.#row(moment)
    const answer = row === null ? usual : row.answer
    if (answer !== null) this.#say(answer, row?.byteEveryMs)
    if (row?.ending === 'close') this.#socket.end()
    if (row?.ending === 'reset') this.#socket.resetAndDestroy()
    return answer === null ? null : answer.toString()
  }

  #say(answer: string | Buffer, byteEveryMs?: number): void {
    const bytes = typeof answer === 'string' ? Buffer.from(`${answer}\r\n`) : answer
    if (byteEveryMs === undefined) {
      if (!this.#socket.destroyed && this.#socket.writable) this.#socket.write(bytes)
      return
    }
    let at = 0
    const timer = setInterval(() => {
      if (at >= bytes.length || this.#socket.destroyed) clearInterval(timer)
      else this.#socket.write(bytes.subarray(at, ++at))
    }, byteEveryMs)
  }

  #read(chunk: Buffer): void {
    let bytes: Buffer = Buffer.concat([this.#rest, chunk])
    this.#rest = Buffer.alloc(0)
    while (bytes.length > 0) {
      if (this.#chunk !== null) {
        bytes = this.#readChunk(this.#chunk, bytes)
        continue
      }
      if (this.#content !== null) {
        bytes = this.#readContent(bytes)
        continue
      }
      const end = bytes.indexOf('\r\n')
      if (end === -1) {
        this.#rest = bytes
        return
      }
      const line = bytes.toString('utf8', 0, end)
      bytes = bytes.subarray(end + 2)
      this.#onLine(line)
    }
  }

  /** Reads content up to its only end, CRLF dot CRLF. Returns the bytes that follow. */
  #readContent(bytes: Buffer): Buffer {
    const content = this.#content as Buffer[]
    if (content.length === 0) this.#moment('<content>', null)
    const window = Buffer.concat([this.#tail, bytes])
    const end = window.indexOf(END)
    if (end === -1) {
      content.push(bytes)
      this.#tail = Buffer.from(window.subarray(-4))
      return Buffer.alloc(0)
    }
    const used = end + END.length - this.#tail.length
    content.push(bytes.subarray(0, used))
    const stuffed = Buffer.concat(content).subarray(0, -3).toString('latin1')
    this.#onMessage(Buffer.from(stuffed.replace(/(^|\r\n)\./g, '$1'), 'latin1'))
    return bytes.subarray(used)
  }

  #readChunk(chunk: { line: string; left: number }, bytes: Buffer): Buffer {
    if (this.#chunks.length === 0) this.#moment('<content>', null)
    const part = bytes.subarray(0, chunk.left)
    this.#chunks.push(part)
    chunk.left -= part.length
    if (chunk.left === 0) this.#onChunk(chunk.line)
    return bytes.subarray(part.length)
  }

  #onChunk(line: string): void {
    this.#chunk = null
    const isLast = / LAST$/i.test(line)
    if (this.#to.length === 0 || this.#isBroken) this.#moment(line, '503 5.5.1 No transaction')
    else if (isLast) this.#onMessage(Buffer.concat(this.#chunks))
    else this.#isBroken = this.#moment(line, '250 2.0.0 Ok')?.startsWith('2') === false
  }

  #onMessage(raw: Buffer): void {
    const message: MxMessage = {
      from: this.#from ?? '',
      to: this.#to,
      mailParameters: this.#parameters,
      raw,
      tls: this.#tls,
      user: this.#user,
      connection: this.#connection,
      answer: null,
      at: Date.now(),
    }
    this.#endTransaction()
    this.#mx.contents.push(message)
    message.answer = this.#moment('<message>', '250 2.0.0 Ok: queued')
    if (message.answer?.startsWith('2')) this.#mx.messages.push(message)
    this.#mx.wake()
  }

  #endTransaction(): void {
    this.#content = null
    this.#chunks = []
    this.#isBroken = false
    this.#from = null
    this.#to = []
  }

  #onLine(line: string): void {
    this.#mx.commands.push({ connection: this.#connection, line })
    if (this.#login !== null) {
      this.#onLoginLine(line)
      return
    }
    const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? ''
    if (verb === 'DATA') this.#onData(line)
    else if (verb === 'BDAT') this.#chunk = { line, left: Number(line.split(' ')[1]) }
    else if (verb === 'STARTTLS') this.#onStartTls(line)
    else if (verb === 'AUTH') this.#onAuth(line)
    else {
      const before = { from: this.#from, to: this.#to.length }
      const answer = this.#moment(line, this.#usual(verb, line))
      // A scripted rejection undoes the effect of the default reply.
      if (answer === null || !answer.startsWith('2')) {
        this.#from = verb === 'MAIL' ? before.from : this.#from
        this.#to.length = Math.min(this.#to.length, before.to)
      } else if (verb === 'RCPT' && this.#to.length === before.to) this.#to.push(pathOf(line))
      if (verb === 'QUIT') this.#socket.end()
    }
  }

  #usual(verb: string, line: string): string {
    if (verb === 'EHLO') return this.#hello()
    if (verb === 'HELO') {
      this.#greeted = true
      return '250 mx.test'
    }
    if (verb === 'RSET') {
      this.#endTransaction()
      return '250 2.0.0 Ok'
    }
    if (verb === 'NOOP') return '250 2.0.0 Ok'
    if (verb === 'QUIT') return '221 2.0.0 Bye'
    if (verb === 'MAIL') return this.#mail(line)
    if (verb === 'RCPT') return this.#recipient(line)
    return '500 5.5.2 Command not recognized'
  }

  #hello(): string {
    const { capabilities, tls, login } = this.#mx.options
    if (capabilities === null) return '502 5.5.1 Command not implemented'
    this.#greeted = true
    this.#endTransaction()
    const offered = [...(capabilities ?? USUAL_CAPABILITIES)]
    if (tls && this.#tls === null) offered.push('STARTTLS')
    if (login !== undefined) offered.push(`AUTH ${(login.mechanisms ?? ['PLAIN', 'LOGIN']).join(' ')}`)
    return ['mx.test', ...offered]
      .map((text, i) => `250${i === offered.length ? ' ' : '-'}${text}`)
      .join('\r\n')
  }

  #mail(line: string): string {
    if (!this.#greeted) return '503 5.5.1 Say EHLO first'
    if (this.#from !== null) return '503 5.5.1 Nested MAIL command'
    if (this.#mx.options.login !== undefined && this.#user === null)
      return '530 5.7.0 Authentication required'
    this.#from = pathOf(line)
    this.#to = []
    this.#parameters = line.slice(line.lastIndexOf('>') + 1).trim()
    return '250 2.1.0 Ok'
  }

  #recipient(line: string): string {
    if (this.#from === null) return '503 5.5.1 Need MAIL command'
    const special = this.#mx.recipients[pathOf(line)]
    if (special !== undefined) return special
    this.#to.push(pathOf(line))
    return '250 2.1.5 Ok'
  }

  #onData(line: string): void {
    const usual =
      this.#to.length > 0 ? '354 End data with <CR><LF>.<CR><LF>' : '554 5.5.1 No valid recipients'
    if (!this.#moment(line, usual)?.startsWith('354')) return
    this.#content = []
    // A dot on the first line ends the content too, as if a line break preceded it.
    this.#tail = Buffer.from('\r\n')
  }

  #onStartTls(line: string): void {
    const offered = this.#mx.options.tls && this.#tls === null
    const answer = this.#moment(line, offered ? '220 2.0.0 Ready to start TLS' : '502 5.5.1 Not offered')
    if (offered && answer?.startsWith('220')) this.#secure('<secured>', null)
  }

  #secure(moment: string, usual: string | null): void {
    const { tls } = this.#mx.options
    const plain = this.#socket
    plain.removeAllListeners('data')
    plain.on('error', () => {})
    const keys = typeof tls === 'object' ? tls : testTls()
    const secured = new TLSSocket(plain, {
      isServer: true,
      secureContext: createSecureContext(keys),
      SNICallback: (name, callback) => {
        if (name === keys.refusedName) callback(new Error('unrecognized name'))
        else callback(null, createSecureContext(keys))
      },
    })
    this.#socket = secured
    this.#greeted = false
    this.#rest = Buffer.alloc(0)
    this.#attach(secured)
    secured.once('secure', () => {
      this.#tls = secured.getProtocol()
      this.#moment(moment, usual)
    })
  }

  #onAuth(line: string): void {
    const [, mechanism = '', initial] = line.split(' ')
    if (mechanism.toUpperCase() === 'PLAIN' && initial !== undefined) {
      const [, user = '', password = ''] = Buffer.from(initial, 'base64').toString().split('\0')
      this.#checkLogin(line, user, password)
      return
    }
    if (this.#moment(line, '334 VXNlcm5hbWU6')?.startsWith('334')) this.#login = []
  }

  #onLoginLine(line: string): void {
    const given = [...(this.#login ?? []), Buffer.from(line, 'base64').toString()]
    if (given.length === 1) {
      this.#login = given
      this.#say('334 UGFzc3dvcmQ6')
      return
    }
    this.#login = null
    this.#checkLogin('AUTH LOGIN', given[0] ?? '', given[1] ?? '')
  }

  #checkLogin(line: string, user: string, password: string): void {
    const { login } = this.#mx.options
    const right = login !== undefined && user === login.user && password === login.password
    const usual = right
      ? '235 2.7.0 Authentication successful'
      : '535 5.7.8 Authentication credentials invalid'
    if (this.#moment(line, usual)?.startsWith('235')) this.#user = user
  }
}

function pathOf(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? ''
}
