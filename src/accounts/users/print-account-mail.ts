import type { Log } from '../../lib/log.ts'
import type { SendAccountMail } from './account-mail.ts'

/** A stream that may be a terminal. */
export interface Terminal {
  isTTY?: boolean
  write(text: string): unknown
}

/** The log shows warnings unless LOG_LEVEL allows only errors. */
const LEVEL = 'warn'

/**
 * Returns the account mail sender of capture mode. It sends and captures nothing, because every viewer of a team can read
 * its captured mailbox, and a link would log them in as someone else. It logs the link, because only operators read the log.
 * @param logOutput the stream of the log
 * @param terminal receives the link as text if LOG_LEVEL hides the log line, or if the log goes to a file
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
      'capture mode sends no account mail: give this link to its recipient only',
    )
    const isLogHidden = !log.isLevelEnabled(LEVEL) || (terminal.isTTY === true && logOutput.isTTY !== true)
    if (isLogHidden) terminal.write(`\n  Account mail for ${to.email}: ${subject}\n  ${link}\n\n`)
    return 'printed'
  }
}
