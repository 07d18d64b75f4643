import pg from 'pg'

/** A Buffer of this size or more is written to the socket without a copy. */
const LARGE_BYTES_MIN = 256 * 1024

/** A binary parameter in pieces that are never joined. They must not change before the statement ends. */
export class Pieces {
  readonly pieces: readonly Buffer[]
  readonly length: number

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
    this.length = totalLength(pieces)
  }
}

export function isLarge(value: unknown): boolean {
  return value instanceof Pieces || (Buffer.isBuffer(value) && value.length >= LARGE_BYTES_MIN)
}

/** A Bind message as pg describes it to its connection. */
interface Bind {
  statement?: string
  values: readonly unknown[]
  valueMapper(value: unknown): string | Buffer | null
}

/**
 * Sends a statement like `client.query`, but without copies of large parameters. pg copies each into one message, and
 * everything again when the message grows: a content of 40 MB took 120 MB until the next garbage collection.
 */
export function sendLargeQuery(
  client: pg.ClientBase,
  config: pg.QueryArrayConfig,
): Promise<pg.QueryArrayResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(config, (error, result) => (error ? reject(error) : resolve(result)))
    const submit = query.submit.bind(query)
    query.submit = (connection) => submit(Object.assign(Object.create(connection), { bind: bindLarge }))
    client.query(query)
  })
}

/** Writes a Bind message to the unnamed portal. Layout: the PostgreSQL manual, "Message Formats". */
function bindLarge(this: pg.Connection, { statement = '', values, valueMapper }: Bind): void {
  const parameters = values.map((value) => (value instanceof Pieces ? value : valueMapper(value)))
  const body = joinSmall([
    Buffer.from(`\0${statement}\0`),
    int16(parameters.length),
    ...parameters.map((value) => int16(value === null || typeof value === 'string' ? TEXT : BINARY)),
    int16(parameters.length),
    ...parameters.flatMap(encodeParameter),
    // One format for all columns of the result.
    int16(1),
    int16(TEXT),
  ])
  // The length counts itself.
  const head = Buffer.concat([Buffer.from('B'), int32(totalLength(body) + 4)])
  for (const piece of [head, ...body]) this.stream.write(piece)
}

const TEXT = 0
const BINARY = 1

function encodeParameter(value: Pieces | Buffer | string | null): Buffer[] {
  if (value === null) return [int32(-1)]
  if (value instanceof Pieces) return [int32(value.length), ...value.pieces]
  const octets = typeof value === 'string' ? Buffer.from(value) : value
  return [int32(octets.length), octets]
}

/** Joins the small pieces between large ones. */
function joinSmall(pieces: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  for (const piece of pieces) {
    if (piece.length < LARGE_BYTES_MIN) {
      small.push(piece)
      continue
    }
    joined.push(Buffer.concat(small), piece)
    small = []
  }
  return [...joined, Buffer.concat(small)]
}

function totalLength(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

function int16(value: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeInt16BE(value)
  return octets
}

function int32(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeInt32BE(value)
  return octets
}
