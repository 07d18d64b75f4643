import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { titleOf } from '../../test/support/absent-programs.ts'

const PYTHON = join(import.meta.dirname, '../python')

function run(args: readonly string[]): string {
  const environment = { ...process.env, MYPYPATH: PYTHON, MYPY_CACHE_DIR: '/dev/null' }
  try {
    return execFileSync('mypy', args, { cwd: PYTHON, env: environment, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error)
  }
}

const isAbsent = !run(['--version']).startsWith('mypy ')

const PROGRAM = `
import sys
from datetime import datetime, timezone
from sendwright import Sendwright, verify_webhook

client = Sendwright()
accepted = client.emails.send({"from": "a@b.test", "to": ["c@d.test"], "scheduled_at": datetime.now(timezone.utc),
    "attachments": [{"filename": "a", "content": b"a"}]}, idempotency_key="once")
subject: str = client.emails.get(accepted["id"])["subject"]
addresses: list[str] = [contact["email"] for contact in client.contacts.list(limit=10)]
client.contacts.import_(sys.stdin)
client.contacts.import_(open("contacts.csv", "rb"))
event = verify_webhook("", {}, "")
if event["type"] == "email.bounced":
    print(event["data"]["bounce"], subject, addresses)
`
const MISTAKES = `
from sendwright import Sendwright

client = Sendwright()
client.domains.create({})
client.emails.list(state="sent")
client.emails.get("id")["subjekt"]
`

describe.skipIf(isAbsent)(titleOf('mypy', isAbsent, 'mypy'), () => {
  test('finds no error in the package, in strict mode, accepts a program, and finds mistakes in another', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sendwright-mypy-'))
    try {
      writeFileSync(join(folder, 'program.py'), PROGRAM)
      writeFileSync(join(folder, 'mistakes.py'), MISTAKES)
      // One run checks all three with the settings of the package, because most of its time goes into the package.
      const found = run([folder, join(PYTHON, 'sendwright')])
      expect(found).toMatch(/Found 3 errors in 1 file \(checked \d{2,} source files\)/)
      for (const word of ['Missing key "name"', '"state"', '"subjekt"'])
        expect(found).toMatch(new RegExp(`mistakes.py:\\d+: error: .*${word}`))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
