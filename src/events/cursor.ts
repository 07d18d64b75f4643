/** Of the form, so that another form can be told from it one day. */
const FORM = '1'
const CURSOR_LENGTH_MAX = 40
const READ = /^1\.(0|[1-9]\d{0,15})$/

/** A place in a team's feed as it is handed out: behind the event with this number. Nothing in it is secret. */
export function writeCursor(position: number): string {
  return Buffer.from(`${FORM}.${position}`).toString('base64url')
}

/** The number that a cursor stands for; null when it is none that was ever handed out. */
export function readCursor(cursor: string): number | null {
  if (cursor.length > CURSOR_LENGTH_MAX) return null
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const position = Number(READ.exec(text)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(position) && writeCursor(position) === cursor ? position : null
}
