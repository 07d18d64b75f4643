/**
 * Signs with RSA-2048 on one thread and prints how often. Arguments: for how many milliseconds, and from when (Date.now),
 * so that several of these processes sign at the same time.
 */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

const WARM_UP_COUNT = 100
/** About as long as the header of an email, of which DKIM computes the signature. */
const SIGNED = Buffer.alloc(600, 'a')

const [durationMs = Number.NaN, startAt = Number.NaN] = process.argv.slice(2).map(Number)
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const sign = () => createSign('sha256').update(SIGNED).sign(privateKey)
for (let count = 0; count < WARM_UP_COUNT; count++) sign()
await pause(startAt - Date.now())
const endAt = performance.now() + durationMs
let count = 0
for (; performance.now() < endAt; count++) sign()
process.stdout.write(`${count}`)
