import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBrowser } from './open-browser.ts'

const PATH = process.env.PATH
let folder: string
/** Where the program writes what it was given. */
let opened: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendwright-browser-'))
  opened = join(folder, 'opened')
  for (const program of ['xdg-open', 'open']) {
    writeFileSync(join(folder, program), `#!/bin/sh\nprintf '%s\\n' "$1" >> ${opened}\n`)
    chmodSync(join(folder, program), 0o755)
  }
  process.env.PATH = `${folder}:${PATH}`
})

afterEach(() => {
  process.env.PATH = PATH
  rmSync(folder, { recursive: true })
})

const read = () => readFileSync(opened, { encoding: 'utf8', flag: 'a+' })

test('a page is opened by its normalized URL, and nothing is that a system would run instead', async () => {
  const others = ['file:///tmp/x.app', '\\\\host\\share\\x.exe', '/bin/sh', 'x.exe', 'javascript:1', '-n', '']
  for (const url of others) expect([url, await openBrowser(url)]).toEqual([url, false])
  expect(await openBrowser('HTTPS://Mail.test/a b')).toBe(true)
  await expect.poll(read).toBe('https://mail.test/a%20b\n')
})
