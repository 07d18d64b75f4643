import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { readTime, showLocal } from './times.ts'

/** As of the other tooltips (web/app/theme.ts). */
const OPEN_DELAY_MS = 250

/**
 * The tooltip of all times, and of elements with `data-hint`. There is one on each page: lists have so many of these
 * elements that a tooltip for each would make them slow.
 */
export function Hints() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  useEffect(() => watchPointer(setTarget), [])
  return target === null ? null : <Tooltip opened target={target} label={hintOf(target)} />
}

function hintOf({ dataset: { hint, at = '' } }: HTMLElement): string {
  const date = readTime(at)
  return hint ?? (date === null ? at : `${showLocal(date)} here · ${at} UTC`)
}

/** Calls `show` with the element under the pointer, or that has the focus; with null when the hint has to go. */
function watchPointer(show: (element: HTMLElement | null) => void): () => void {
  let target: HTMLElement | null = null
  let timer = 0
  const change = (next: HTMLElement | null) => {
    if (next === target) return
    target = next
    window.clearTimeout(timer)
    if (next === null) show(null)
    else timer = window.setTimeout(() => show(next), OPEN_DELAY_MS)
  }
  const onOver = ({ target }: Event) =>
    change(target instanceof Element ? target.closest<HTMLElement>('[data-hint], time[data-at]') : null)
  const onGone = () => change(null)
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onGone()
  }
  const controller = new AbortController()
  const options = { signal: controller.signal, passive: true }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onOver, options)
  document.addEventListener('pointerleave', onGone, options)
  document.addEventListener('keydown', onKey, options)
  window.addEventListener('scroll', onGone, options)
  return () => {
    window.clearTimeout(timer)
    controller.abort()
  }
}
