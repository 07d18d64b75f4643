/** Version of the cursor format. */
const FORM = '1'
const CURSOR_LENGTH_MAX = 40
const READ = /^1\.(0|[1-9]\d{0,15})$/

/** Formats a position in a team's feed as a cursor: after the event with this number. It contains nothing secret. */
export function writeCursor(position: number): string {
  return Buffer.from(`${FORM}.${position}`).toString('base64url')
}

/** Returns the number in a cursor; null when the text is not a valid cursor. */
export function readCursor(cursor: string): number | null {
  if (cursor.length > CURSOR_LENGTH_MAX) return null
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const position = Number(READ.exec(text)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(position) && writeCursor(position) === cursor ? position : null
}
