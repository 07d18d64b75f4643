import { expect } from 'vitest'
import type { ApiReply } from '../support/client.ts'
import type { Scene } from './scene.ts'

/** `['POST /emails', body, headers]`. */
export type Request = readonly [route: string, body?: unknown, headers?: Record<string, string>]

export interface Answer {
  status: number
  /** Fields that the body must contain. */
  json?: object
  /** The complete body. */
  exactly?: unknown
  /** Every rejected field with its message, or a pattern when the requirement does not give the wording. */
  errors?: Record<string, string | RegExp>
  headers?: Record<string, string | RegExp>
}

export type Expected = number | Answer | ((reply: ApiReply, scene: Scene) => void | Promise<void>)

/** One case of a requirement, and the request that checks it. */
export interface Row {
  /** Its id in docs/requirements.md. */
  requirement: string
  /** A description of the case, when the request alone is not clear. */
  by?: string
  asks?: Request | ((scene: Scene) => Request | Promise<Request>)
  answers?: Expected
  /** A check that needs several requests. */
  proves?: (scene: Scene) => void | Promise<void>
}

export interface Section {
  heading: string
  rows: readonly Row[]
}

export async function proveRow(row: Row, scene: Scene): Promise<void> {
  if (row.asks !== undefined && row.answers !== undefined) {
    const [route, body, headers] = typeof row.asks === 'function' ? await row.asks(scene) : row.asks
    await checkAnswer(await scene.ask(route, body, headers), row.answers, scene)
  }
  await row.proves?.(scene)
}

export async function checkAnswer(reply: ApiReply, expected: Expected, scene: Scene): Promise<void> {
  if (typeof expected === 'function') return expected(reply, scene)
  if (typeof expected === 'number') return checkAnswer(reply, { status: expected }, scene)
  const { status, json, exactly, errors, headers = {} } = expected
  expect(reply.status, reply.text.slice(0, 500)).toBe(status)
  if (json !== undefined) expect(reply.json).toMatchObject(json)
  if (exactly !== undefined) expect(reply.json).toEqual(exactly)
  if (errors !== undefined) checkErrors(reply, errors)
  for (const [name, value] of Object.entries(headers)) {
    const pattern = typeof value === 'string' ? new RegExp(`^${literal(value)}$`) : value
    expect(reply.headers.get(name) ?? '', name).toMatch(pattern)
  }
}

/** Checks the form of ERR-1: `message` is the first of `errors`, and there are no other errors. */
function checkErrors(reply: ApiReply, errors: Record<string, string | RegExp>): void {
  const messages = Object.entries((reply.json.errors ?? {}) as Record<string, string[]>)
  expect(Object.fromEntries(messages), reply.text.slice(0, 500)).toEqual(
    Object.fromEntries(
      Object.entries(errors).map(([field, message]) => [
        field,
        [typeof message === 'string' ? message : expect.stringMatching(message)],
      ]),
    ),
  )
  expect(reply.json).toEqual({
    statusCode: 422,
    name: 'validation_error',
    message: messages[0]?.[1][0],
    errors: reply.json.errors,
    ...(hasHint(reply) ? { hint: expect.stringMatching(/^[A-Z].*\.$/) } : {}),
  })
}

/** Only content that is no base64 has a hint. */
const hasHint = ({ json }: ApiReply): boolean => / must be valid base64\.$/.test(json.message)

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Expects 422 for exactly these fields. */
export const refuses = (errors: Record<string, string | RegExp>): Answer => ({ status: 422, errors })

/** Expects 422 for this field. The requirements do not give the wording, but each message names the field. */
export const refusesField = (field: string): Answer =>
  refuses({ [field]: new RegExp(`^The ${literal(field)} `) })

export const required = (field: string): Answer => refuses({ [field]: `The ${field} field is required.` })

export const mustBeString = (field: string): Answer =>
  refuses({ [field]: `The ${field} field must be a string.` })

export const tooLong = (field: string, countMax = 255): Answer =>
  refuses({ [field]: `The ${field} field must not be greater than ${countMax} characters.` })

/** Expects 201 with at least these fields. */
export const creates = (fields: object): Answer => ({ status: 201, json: fields })

/** Expects an error without fields: three keys and nothing else. */
export const error = (statusCode: number, name: string, message: string): Answer => ({
  status: statusCode,
  exactly: { statusCode, name, message },
})

export const NOT_FOUND = error(404, 'not_found', 'Not found.')
/** A conflict whose message is not part of the requirements. */
export const CONFLICT: Answer = { status: 409, json: { statusCode: 409, name: 'conflict' } }

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
export const aUuid = expect.stringMatching(UUID)
export const aTime = expect.stringMatching(TIME)

/** Expects 202 with only an id; the email then has the fields of `shows`. */
export function accepts(shows?: object): Expected {
  return async (reply, scene) => {
    expect(reply.status, reply.text.slice(0, 500)).toBe(202)
    expect(reply.json).toEqual({ id: aUuid })
    if (shows === undefined) return
    const email = await scene.ask(`GET /emails/${reply.json.id}`)
    expect(email.json).toMatchObject(shows)
  }
}

/** Creates a row for each value of a requirement: `[description, value, expected response]`. */
export function cases<T>(
  requirement: string,
  asks: (value: T, scene: Scene) => Request | Promise<Request>,
  values: readonly (readonly [by: string, value: T, answers: Expected])[],
): Row[] {
  return values.map(([by, value, answers]) => ({
    requirement,
    by,
    asks: (scene) => asks(value, scene),
    answers,
  }))
}

/** Creates rows for a text at its limit and one above it, in characters of four bytes and two UTF-16 units each. */
export function lengths(
  requirement: string,
  asks: (value: string, scene: Scene) => Request | Promise<Request>,
  { field, countMax = 255, character = '😀', accepted }: LengthRule,
): Row[] {
  return cases(requirement, asks, [
    [`${field} of ${countMax} characters`, character.repeat(countMax), accepted],
    [`${field} of ${countMax + 1} characters`, character.repeat(countMax + 1), tooLong(field, countMax)],
  ])
}

export interface LengthRule {
  field: string
  countMax?: number
  character?: string
  accepted: Expected
}

/** Creates a row for a requirement that needs several requests. */
export const proof = (requirement: string, by: string, proves: NonNullable<Row['proves']>): Row => ({
  requirement,
  by,
  proves,
})
