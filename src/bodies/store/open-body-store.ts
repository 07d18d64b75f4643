import type { Config } from '../../config/config.ts'
import type { BodyStore } from './body-store.ts'
import { createDirectoryStore } from './directory-store.ts'
import { createS3Store } from './s3-store.ts'

/** Returns the configured store, or null when bodies stay in PostgreSQL. Connects to nothing. */
export function openBodyStore(config: Config): BodyStore | null {
  const { bodies, s3Endpoint, s3Region: region, s3AccessKey, s3SecretKey } = config
  if (bodies === null) return null
  if (bodies.kind === 'directory') return createDirectoryStore(bodies.path)
  return createS3Store({
    ...bodies,
    endpoint: s3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    accessKey: s3AccessKey ?? '',
    secretKey: s3SecretKey ?? '',
  })
}
