import { reply, type ServerReply, type SmtpPath } from './smtp-types.ts'

const NON_ASCII = /[^\x20-\x7e]/
/** RFC 5321 section 4.1.2: esmtp-param. */
const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([^ =]+))?$/
const PARAMETERS_MAX = 20
/** RFC 3461 section 4: xtext. */
const XTEXT = '(?:[!-*,-<>-~]|\\+[0-9A-F]{2})'

type Check = RegExp | ((value: string) => ServerReply | null)

const badParameter = (name: string) => reply(501, '5.5.4', `Invalid value of the parameter ${name}`)

/** A path without angle brackets, as applications write it. */
const BARE_PATH = /^[^\s<>"]+@[^\s<>"]+(?= |$)/

/**
 * Parses `FROM:<path> parameters` (RFC 5321 section 4.1.1.2).
 * @param isLenient whether a path may lack its angle brackets
 */
export function readMail(
  argument: string,
  messageBytesMax: number,
  isLenient = false,
): SmtpPath | ServerReply {
  return readPath(/^FROM: ?/i, withBrackets(argument, isLenient), {
    SIZE: (value) => checkSize(value, messageBytesMax),
    BODY: /^(?:7BIT|8BITMIME)$/i,
    SMTPUTF8: /^$/,
    // RFC 3461: validated, but not used. Events report the outcome of an email, not DSNs.
    RET: /^(?:FULL|HDRS)$/i,
    ENVID: new RegExp(`^${XTEXT}{1,100}$`),
    // RFC 4954 section 5: the original submitter, which is not used.
    AUTH: new RegExp(`^(?:<>|${XTEXT}{1,500})$`),
  })
}

/** Parses `TO:<path> parameters` (RFC 5321 section 4.1.1.3). */
export function readRcpt(
  argument: string,
  isUtf8Allowed: boolean,
  isLenient = false,
): SmtpPath | ServerReply {
  const path = readPath(/^TO: ?/i, withBrackets(argument, isLenient), {
    NOTIFY: /^(?:NEVER|(?:SUCCESS|FAILURE|DELAY)(?:,(?:SUCCESS|FAILURE|DELAY)){0,2})$/i,
    ORCPT: new RegExp(`^[A-Za-z0-9-]{1,50};${XTEXT}{1,500}$`),
  })
  return 'code' in path ? path : refuseUtf8(path, isUtf8Allowed)
}

function withBrackets(argument: string, isLenient: boolean): string {
  const [prefix = ''] = /^[A-Za-z]+: ?/.exec(argument) ?? []
  const path = isLenient ? BARE_PATH.exec(argument.slice(prefix.length))?.[0] : undefined
  return path === undefined ? argument : `${prefix}<${path}>${argument.slice(prefix.length + path.length)}`
}

/** RFC 6531 section 3.4: addresses may be non-ASCII only after MAIL with SMTPUTF8. */
export function refuseUtf8(path: SmtpPath, isAllowed: boolean): SmtpPath | ServerReply {
  if (isAllowed || !NON_ASCII.test(path.address)) return path
  return reply(553, '5.6.7', 'A non-ASCII address requires SMTPUTF8')
}

function checkSize(value: string, bytesMax: number): ServerReply | null {
  if (!/^\d{1,20}$/.test(value)) return badParameter('SIZE')
  if (Number(value) <= bytesMax) return null
  return reply(552, '5.3.4', `The message must not be greater than ${bytesMax} bytes`)
}

function readPath(
  prefix: RegExp,
  argument: string,
  checks: Readonly<Record<string, Check>>,
): SmtpPath | ServerReply {
  const start = prefix.exec(argument)?.[0]
  const rest = start === undefined ? '' : argument.slice(start.length)
  const close = rest.startsWith('<') ? findClose(rest) : -1
  const after = rest.slice(close + 1)
  if (close < 0 || (after !== '' && !after.startsWith(' '))) {
    return reply(501, '5.5.2', 'Syntax: MAIL FROM:<address> or RCPT TO:<address>, followed by parameters')
  }
  const parameters = new Map<string, string>()
  const words = after.split(' ').filter((word) => word !== '')
  if (words.length > PARAMETERS_MAX) return reply(501, '5.5.4', 'Too many parameters')
  for (const word of words) {
    const rejection = readParameter(word, checks, parameters)
    if (rejection !== null) return rejection
  }
  return { address: rest.slice(1, close), parameters }
}

function readParameter(
  word: string,
  checks: Readonly<Record<string, Check>>,
  parameters: Map<string, string>,
): ServerReply | null {
  const [, name, value = ''] = PARAMETER.exec(word) ?? []
  if (name === undefined)
    return reply(501, '5.5.4', 'Syntax of a parameter: NAME or NAME=value, without = in the value')
  const key = name.toUpperCase()
  const check = Object.hasOwn(checks, key) ? checks[key] : undefined
  if (check === undefined) return reply(555, '5.5.4', 'Unknown parameter')
  if (parameters.has(key)) return reply(501, '5.5.4', `The parameter ${key} occurs twice`)
  parameters.set(key, value)
  if (check instanceof RegExp) return check.test(value) ? null : badParameter(key)
  return check(value)
}

/** Returns the offset of the bracket that closes the path, or -1. Ignores brackets inside a quoted local part. */
function findClose(text: string): number {
  let isQuoted = false
  for (let at = 1; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted && character === '\\') at++
    else if (!isQuoted && character === '>') return at
    else if (!isQuoted && (character === '<' || character === ' ')) return -1
  }
  return -1
}
