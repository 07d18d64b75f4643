import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testTls } from '../../../test/support/mx-script.ts'
import { CannotStart } from '../../lib/cannot-start.ts'
import { createLog } from '../../lib/log.ts'
import { type Certificate, type CertificateOptions, openCertificate } from './certificate.ts'
import { ensureSelfSigned } from './self-signed.ts'

const YEAR_MS = 365 * 24 * 3_600_000
let dataDir: string
let nowMs: number
const opened: Certificate[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'certificate-'))
  nowMs = Date.now()
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop()
  rmSync(dataDir, { recursive: true })
})

async function open(options: Partial<CertificateOptions> = {}): Promise<Certificate> {
  const certificate = await openCertificate({
    certFile: null,
    keyFile: null,
    dataDir,
    hostname: 'mail.sendwright.test',
    clock: { now: () => new Date(nowMs) },
    log: createLog('silent'),
    checkIntervalMs: 10,
    ...options,
  })
  opened.push(certificate)
  return certificate
}

const kept = () => readFileSync(join(dataDir, 'smtp-certificate.pem'), 'utf8')

/** A new certificate in files. */
function givenFiles() {
  const files = { certFile: join(dataDir, 'cert.pem'), keyFile: join(dataDir, 'key.pem') }
  const write = async () => {
    rmSync(join(dataDir, 'smtp-certificate.pem'), { force: true })
    const pem = await ensureSelfSigned(dataDir, 'mail.example.test', new Date(nowMs), () => false)
    const certAt = pem.indexOf('-----BEGIN CERTIFICATE')
    writeFileSync(files.keyFile, pem.slice(0, certAt))
    writeFileSync(files.certFile, pem.slice(certAt))
  }
  return { files, write }
}

test('self-signed at the first start for ten years, readable by its owner only, and reused afterwards', async () => {
  await open()
  const pem = kept()
  const certificate = new X509Certificate(pem)
  expect(certificate.checkHost('mail.sendwright.test')).toBe('mail.sendwright.test')
  expect(certificate.ca).toBe(false)
  expect(new Date(certificate.validTo).getTime() - nowMs).toBeGreaterThan(9.9 * YEAR_MS)
  expect(statSync(join(dataDir, 'smtp-certificate.pem')).mode & 0o777).toBe(0o600)
  await open()
  expect(kept()).toBe(pem)
})

test('the same for several processes that start concurrently', async () => {
  const contexts = await Promise.all([open(), open(), open()])
  expect(contexts).toHaveLength(3)
  expect(kept().match(/BEGIN CERTIFICATE/g)).toHaveLength(1)
})

test('replaced when the name changes, when it is about to expire, and when it is damaged', async () => {
  await open()
  const first = kept()
  const running = await open({ hostname: 'other.sendwright.test' })
  const second = kept()
  expect(second).not.toBe(first)
  const before = running.context()
  nowMs += 10 * YEAR_MS - 24 * 3_600_000
  await expect.poll(() => running.context() === before).toBe(false)
  expect(kept()).not.toBe(second)
  writeFileSync(join(dataDir, 'smtp-certificate.pem'), 'nonsense')
  await open()
  expect(new X509Certificate(kept()).subject).toBe('CN=mail.sendwright.test')
})

test('reloaded when the files change, and on request; invalid files leave the old one active', async () => {
  const { files, write } = givenFiles()
  await write()
  const certificate = await open(files)
  const first = certificate.context()
  writeFileSync(files.certFile, testTls().cert)
  await certificate.reload()
  expect(certificate.context()).toBe(first)
  writeFileSync(files.keyFile, testTls().key)
  await expect.poll(() => certificate.context() === first).toBe(false)
  const second = certificate.context()
  rmSync(files.certFile)
  await certificate.reload()
  expect(certificate.context()).toBe(second)
  await write()
  await certificate.reload()
  expect(certificate.context()).not.toBe(second)
})

test('CannotStart when the files are invalid, or do not belong together', async () => {
  const { files, write } = givenFiles()
  await expect(open(files)).rejects.toBeInstanceOf(CannotStart)
  await write()
  writeFileSync(files.certFile, testTls().cert)
  await expect(open(files)).rejects.toThrow(/TLS certificate cannot be used/)
})

test('created with its data directory, and used even when that cannot be created', async () => {
  await open({ dataDir: join(dataDir, 'deep/inside') })
  expect(statSync(join(dataDir, 'deep/inside/smtp-certificate.pem')).isFile()).toBe(true)
  writeFileSync(join(dataDir, 'file'), '')
  expect((await open({ dataDir: join(dataDir, 'file/inside') })).context()).toBeDefined()
})
