import type { BodyStore } from './body-store.ts'

interface S3Place {
  endpoint: string
  region: string
  bucket: string
  /** Empty, or ends in a slash. */
  prefix: string
  accessKey: string
  secretKey: string
}

const PARTIAL_CONTENT = 206
const NO_OBJECT = 'NoSuchKey'

/** Keeps objects in a bucket of an S3-compatible server, which is addressed by path. */
export function createS3Store({
  endpoint,
  region,
  bucket,
  prefix,
  accessKey,
  secretKey,
}: S3Place): BodyStore {
  /** Loads the client when it is first needed. It has no signals of its own, so each operation gets a client. */
  async function clientFor(signal: AbortSignal) {
    const { S3mini } = await import('s3mini')
    return new S3mini({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      endpoint: `${endpoint}/${bucket}`,
      region,
      fetch: (input, init) => fetch(input, { ...init, signal }),
    })
  }
  return {
    // A bucket is there, or every operation fails.
    async recognize() {},
    async write(name, object, signal) {
      const client = await clientFor(signal)
      const response = await client.putObject(prefix + name, object)
      // The connection is free for the next request once the answer is read.
      await response.arrayBuffer()
    },
    async read(name, start, bytes, signal) {
      const client = await clientFor(signal)
      const response = await client.getObjectRaw(prefix + name, false, start, start + bytes)
      const part = Buffer.from(await response.arrayBuffer())
      if (response.status !== PARTIAL_CONTENT || part.length !== bytes) {
        throw new Error(
          `The store answered ${response.status} with ${part.length} bytes to a read of ${bytes}.`,
        )
      }
      return part
    },
    async remove(name, signal) {
      const client = await clientFor(signal)
      await client.deleteObject(prefix + name).catch((error: unknown) => {
        if (!isAbsence(error)) throw error
      })
    },
  }
}

/**
 * Returns whether the server says that it has no such object, as some do where S3 says that it was deleted. A
 * missing bucket, or the page of a proxy, does not say so.
 */
function isAbsence(error: unknown): boolean {
  const { status, serviceCode, body } = error as { status?: number; serviceCode?: string; body?: string }
  return status === 404 && (serviceCode === NO_OBJECT || !body || body.includes(NO_OBJECT))
}
