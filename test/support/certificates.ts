import { generate } from 'selfsigned'
import type { MxTls } from './mx-script.ts'

/** A certificate authority for one test file. */
export interface TestAuthority {
  /** PEM. */
  cert: string
  /** Issues a certificate for these names, with the authority's certificate in the chain. */
  issue(names: readonly string[], options?: { notAfter?: Date; signedBy?: 'itself' }): Promise<MxTls>
}

const DAY_MS = 86_400_000

export async function createAuthority(): Promise<TestAuthority> {
  const ca = await generate([{ name: 'commonName', value: 'Test authority' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  return {
    cert: ca.cert,
    async issue(names, { notAfter = new Date(Date.now() + DAY_MS), signedBy } = {}) {
      const { cert, private: key } = await generate([{ name: 'commonName', value: 'a server' }], {
        algorithm: 'sha256',
        notBeforeDate: new Date(notAfter.getTime() - 2 * DAY_MS),
        notAfterDate: notAfter,
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
          { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
        ],
        ...(signedBy === 'itself' ? {} : { ca: { key: ca.private, cert: ca.cert } }),
      })
      return { key, cert: `${cert.trim()}\n${ca.cert.trim()}\n` }
    },
  }
}
