/** The classes of one team's mail. Transactional mail goes first (docs/adr/0030-two-classes.md). */
export const MAIL_CLASSES = ['transactional', 'bulk'] as const
export type MailClass = (typeof MAIL_CLASSES)[number]

/**
 * While transactional mail of the same team waits, one in this many of the team's emails is bulk, so that bulk mail never
 * starves.
 */
export const BULK_EVERY = 20

export function classOf(isBulk: boolean): MailClass {
  return isBulk ? 'bulk' : 'transactional'
}
