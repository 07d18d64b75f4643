import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BadSetting, durationMs } from './values.ts'

/** Where the bodies of settled emails go. */
export type BodyPlace =
  | { kind: 'directory'; path: string }
  | {
      kind: 's3'
      bucket: string
      /** Before each object's name: empty, or ends in a slash. */
      prefix: string
    }

/** Returns null when bodies stay in PostgreSQL. Throws BadSetting. */
function bodyPlace(text: string | undefined): BodyPlace | null {
  if (text === undefined) return null
  if (text.startsWith('file:///')) return { kind: 'directory', path: resolve(fileURLToPath(text)) }
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (bucket === undefined) throw new BadSetting('it must be file:///DIRECTORY or s3://BUCKET/PREFIX')
  const trimmed = prefix.replace(/^\/+|\/+$/g, '')
  return { kind: 's3', bucket, prefix: trimmed === '' ? '' : `${trimmed}/` }
}

/** Packing looks for emails of this age as often. */
const AFTER_MIN_MS = 1000

function endpoint(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!/^https?:\/\/[^\s/?#@]+\/?$/.test(text) || !URL.canParse(text)) {
    throw new BadSetting(`"${text}" is not an http(s) URL without a path`)
  }
  return text.replace(/\/$/, '')
}

/** The settings of bodies in object storage: a part of SETTINGS. */
export const BODY_SETTINGS = {
  bodies: {
    name: 'SENDWRIGHT_BODIES',
    help: 'Where the messages of settled emails move: file:///DIRECTORY or s3://BUCKET/PREFIX. Default: they stay in PostgreSQL.',
    example: 's3://sendwright-bodies/mail',
    parse: bodyPlace,
  },
  bodiesAfterMs: {
    name: 'SENDWRIGHT_BODIES_AFTER',
    help: 'Age at which messages move. Those of teams with little mail wait up to twice as long, for each other.',
    example: '12h',
    parse: (text: string | undefined) => {
      const afterMs = durationMs(text ?? '12h')
      if (afterMs < AFTER_MIN_MS) throw new BadSetting('at least 1s')
      return afterMs
    },
  },
  s3Endpoint: {
    name: 'SENDWRIGHT_S3_ENDPOINT',
    help: "URL of the S3-compatible server. Default: Amazon's, in SENDWRIGHT_S3_REGION.",
    example: 'https://s3.eu-central-1.amazonaws.com',
    parse: endpoint,
  },
  s3Region: {
    name: 'SENDWRIGHT_S3_REGION',
    help: 'Region of the bucket.',
    example: 'us-east-1',
    parse: (text: string | undefined) => text ?? 'us-east-1',
  },
  s3AccessKey: {
    name: 'SENDWRIGHT_S3_ACCESS_KEY',
    help: 'ID of the access key, which may read, write and delete objects below the prefix.',
    example: 'an-access-key-id',
    secret: true,
    parse: (text: string | undefined) => text ?? null,
  },
  s3SecretKey: {
    name: 'SENDWRIGHT_S3_SECRET_KEY',
    help: 'Secret of the access key.',
    example: 'a-secret-access-key',
    secret: true,
    parse: (text: string | undefined) => text ?? null,
  },
}
