import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type SyntheticEvent, useMemo, useRef } from 'react'

/** Below this width a row opens its page instead of the side panel. */
const PANEL_QUERY = '(min-width: 48.01em)'
/** The pointer crosses rows on its way to another. */
const PRELOAD_DELAY_MS = 50

/** Returns a function that returns the address of a page for `href`. */
export function useRowHref(): (to: string) => string {
  const { basepath, history } = useRouter()
  return (to) => history.createHref(`${basepath}${to}`)
}

/**
 * Returns the event handlers of all links of rows, for the element around them. A link of the router would have its own
 * handlers and subscriptions in every row.
 * @param onOpen opens the side panel; undefined for lists without one
 */
export function useRowLinks(onOpen: ((key: string) => void) | undefined) {
  const router = useRouter()
  const ahead = useRef<{ href: string; timer: number }>(null)
  return useMemo(() => {
    const pathOf = (link: HTMLAnchorElement) =>
      `${link.pathname}${link.search}${link.hash}`.slice(router.basepath.length)
    const forget = () => {
      window.clearTimeout(ahead.current?.timer)
      ahead.current = null
    }
    const preload = (event: SyntheticEvent) => {
      const link = rowLinkAt(event.target)
      if (link?.href === ahead.current?.href) return
      forget()
      if (link === null) return
      const load = () => void router.preloadRoute({ to: pathOf(link) }).catch(console.warn)
      ahead.current = { href: link.href, timer: window.setTimeout(load, PRELOAD_DELAY_MS) }
    }
    const onClick = (event: MouseEvent) => {
      const link = rowLinkAt(event.target)
      if (link === null || event.defaultPrevented || isForNewTab(event)) return
      event.preventDefault()
      forget()
      const key = link.closest('tr')?.dataset.key
      if (onOpen !== undefined && key !== undefined && window.matchMedia(PANEL_QUERY).matches) onOpen(key)
      else void router.navigate({ to: pathOf(link) })
    }
    return {
      onClick,
      onMouseOver: preload,
      onMouseLeave: forget,
      onFocus: preload,
      onBlur: forget,
      onTouchStart: preload,
    }
  }, [router, onOpen])
}

const rowLinkAt = (target: EventTarget): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a.row-link') : null

const isForNewTab = ({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent) =>
  ctrlKey || metaKey || shiftKey || altKey || button !== 0
