/** Sendwright's mark: an envelope whose flap is cut like the groove of a chisel, with a lit and a shaded side. */
export function Mark({ sizePx = 20 }: { sizePx?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={sizePx} height={sizePx} className="mark" aria-hidden>
      <rect width="32" height="32" rx="7" />
      <path d="M6 8h10v9.4z" />
      <path d="M26 8H16v9.4z" className="mark-shade" />
      <path d="M6 12.2l10 9.4 10-9.4V24H6z" />
    </svg>
  )
}
