interface CheckProps {
  /** The accessible name. */
  label: string
  isChosen: boolean
  /** Whether some of what it stands for is chosen. */
  isPartly?: boolean
  onToggle(isRange: boolean): void
}

/** The checkbox of a row, or of all rows. It is the browser's own: a list draws many. */
export function Check({ label, isChosen, isPartly = false, onToggle }: CheckProps) {
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={label}
      checked={isChosen}
      ref={(element) => {
        // HTML has no attribute for it.
        if (element !== null) element.indeterminate = isPartly
      }}
      onClick={(event) => onToggle(event.shiftKey)}
      readOnly
    />
  )
}
