import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from '../../lib/log.ts'
import { resetMail } from './mail-texts.ts'
import { createPrintAccountMail } from './print-account-mail.ts'

const LINK = 'https://api.test/app/reset#token=abc'
const MAIL = resetMail({ email: 'ann@people.test', name: 'Ann' }, LINK)

async function printed(level: string, tty: { log: boolean; terminal: boolean }) {
  const stream = new PassThrough()
  const written: string[] = []
  const print = createPrintAccountMail({
    log: createLog(level, stream),
    logOutput: { isTTY: tty.log, write: () => {} },
    terminal: { isTTY: tty.terminal, write: (text) => written.push(text) },
  })
  expect(await print(MAIL)).toBe('printed')
  return { log: String(stream.read() ?? ''), terminal: written.join('') }
}

test('one labelled JSON line in the log, without a second copy if the log is the terminal or there is no terminal', async () => {
  for (const tty of [
    { log: true, terminal: true },
    { log: false, terminal: false },
  ]) {
    const { log, terminal } = await printed('info', tty)
    expect(JSON.parse(log)).toMatchObject({
      level: 'warn',
      account_mail: 'Set a new password for Sendwright',
      recipient: 'ann@people.test',
      link: LINK,
      msg: expect.stringContaining('capture mode sends no account mail'),
    })
    expect(terminal).toBe('')
  }
})

test('text in the terminal too if the log goes to a file', async () => {
  const { log, terminal } = await printed('warn', { log: false, terminal: true })
  expect(log).toContain(LINK)
  expect(terminal).toContain(`ann@people.test: Set a new password for Sendwright\n  ${LINK}\n`)
})

test('text on standard error alone if LOG_LEVEL hides the line', async () => {
  const { log, terminal } = await printed('error', { log: false, terminal: false })
  expect(log).toBe('')
  expect(terminal).toContain(LINK)
})
