import type { Log } from '../../base/log.ts'
import type { SendAccountMail } from './account-mail.ts'

/** A stream that the operator may be looking at. */
export interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

/** Warnings are printed unless LOG_LEVEL is set to errors alone. */
const LEVEL = 'warn'

/**
 * Returns the account mail of capture mode: nothing is sent or captured, because every viewer of a team reads its captured
 * mailbox and a link would log them in as another person. Only the operator reads the log, so the link is printed there.
 * @param logOutput where the log goes
 * @param terminal where the link is printed as text if LOG_LEVEL hides the log line, or the log goes to a file
 */
export function createPrintAccountMail({
  log,
  logOutput,
  terminal,
}: {
  log: Log
  logOutput: Terminal
  terminal: Terminal
}): SendAccountMail {
  return async ({ to, subject, link }) => {
    log[LEVEL](
      { account_mail: subject, recipient: to.email, link },
      'capture mode sends no account mail: this link is for its recipient alone and is printed only here',
    )
    const isLogHidden = !log.isLevelEnabled(LEVEL) || (terminal.isTTY === true && logOutput.isTTY !== true)
    if (isLogHidden) terminal.write(`\n  Account mail for ${to.email}: ${subject}\n  ${link}\n\n`)
    return 'printed'
  }
}
