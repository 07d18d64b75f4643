#!/usr/bin/env node
import { createInterface } from 'node:readline'
import { createBridge } from './bridge.ts'

const { SENDWRIGHT_URL: url, SENDWRIGHT_API_KEY: apiKey } = process.env
if (!url || !apiKey) {
  process.stderr.write('Set SENDWRIGHT_URL, for example https://mail.example.com, and SENDWRIGHT_API_KEY.\n')
  process.exit(2)
}

const forward = createBridge({ url, apiKey, write: (line) => void process.stdout.write(`${line}\n`) })
let isFirst = true
// The first request is `initialize`. Later ones need its result, and then run side by side.
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const done = forward(line)
  if (isFirst) await done
  isFirst = false
}
