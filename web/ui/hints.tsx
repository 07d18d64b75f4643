import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { readTime, showLocal } from './times.ts'

/** As of the other tooltips (web/app/theme.ts). */
const OPEN_DELAY_MS = 250
const HINTED = '[data-hint], time[data-at]'

interface Hint {
  /** The tooltip stands above this element. */
  target: HTMLElement
  lines: readonly string[]
  /** Whether the focus led here, not the pointer. */
  isOfFocus: boolean
}

/**
 * The tooltip of all times, and of elements with `data-hint`. There is one on each page: lists have so many of these
 * elements that a tooltip for each would make them slow.
 */
export function Hints() {
  const [hint, setHint] = useState<Hint | null>(null)
  useEffect(() => watchHints(setHint), [])
  if (hint === null) return null
  const label = hint.lines.map((line) => <div key={line}>{line}</div>)
  return <Tooltip opened target={hint.target} label={label} />
}

/** Calls `show` with the hint of the element under the pointer, or with the focus; with null when it has to go. */
function watchHints(show: (hint: Hint | null) => void): () => void {
  let current: Hint | null = null
  let timer = 0
  const change = (next: Hint | null) => {
    if (next?.target === current?.target) return
    current = next
    window.clearTimeout(timer)
    observer.disconnect()
    if (next === null) {
      show(null)
      return
    }
    timer = window.setTimeout(() => show(next), OPEN_DELAY_MS)
    observer.observe(document.body, { childList: true, subtree: true })
  }
  // A link leads to another page, and a list that changes removes rows.
  const observer = new MutationObserver(() => {
    if (current?.target.isConnected === false) change(null)
  })
  const isOfFocus = () => current?.isOfFocus === true
  const onOver = ({ target }: Event) => {
    const next = hintAt(target, false)
    // Wherever the pointer rests, the hint of the focus stays.
    if (next !== null || !isOfFocus()) change(next)
  }
  const onFocus = ({ target }: Event) => change(hintAt(target, true) ?? hintsAround(target))
  const onBlur = () => {
    if (isOfFocus()) change(null)
  }
  // The focus may scroll its row into view.
  const onLeft = () => {
    if (!isOfFocus()) change(null)
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') change(null)
  }
  const controller = new AbortController()
  const options = { signal: controller.signal, passive: true }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onFocus, options)
  document.addEventListener('focusout', onBlur, options)
  document.addEventListener('pointerleave', onLeft, options)
  document.addEventListener('keydown', onKey, options)
  window.addEventListener('scroll', onLeft, options)
  return () => {
    window.clearTimeout(timer)
    observer.disconnect()
    controller.abort()
  }
}

/** Returns the hint of an element; null if it has none. */
function hintAt(target: EventTarget | null, isOfFocus: boolean): Hint | null {
  const hinted = target instanceof Element ? target.closest<HTMLElement>(HINTED) : null
  return hinted === null ? null : { target: hinted, lines: [lineOf(hinted)], isOfFocus }
}

/** Returns the hints in the row, link or button that the keyboard led to; null if it shows none. */
function hintsAround(target: EventTarget | null): Hint | null {
  if (!(target instanceof Element && target.matches(':focus-visible'))) return null
  const around = target.closest('tr') ?? target.closest('a, button')
  const hinted = [...(around?.querySelectorAll<HTMLElement>(HINTED) ?? [])]
  // Phones show some of them in another column than wide windows.
  const shown = hinted.filter((element) => element.getClientRects().length > 0)
  const [first] = shown
  return first === undefined
    ? null
    : { target: first, lines: [...new Set(shown.map(lineOf))], isOfFocus: true }
}

function lineOf({ dataset: { hint, at = '' } }: HTMLElement): string {
  const date = readTime(at)
  return hint ?? (date === null ? at : `${showLocal(date)} here · ${at} UTC`)
}
