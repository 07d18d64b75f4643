import { Anchor, Breadcrumbs, Group, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../link.tsx'

export interface PageProps {
  /** The heading, and the title of the browser window. */
  title: string
  /** One sentence about the purpose of the page. */
  description?: ReactNode
  actions?: ReactNode
  /** Breadcrumbs above the heading. */
  trail?: readonly { label: string; to: string }[]
  /** Shown next to the heading, such as a status. */
  badge?: ReactNode
  /** For text and forms, which are easier to read in shorter lines. */
  isNarrow?: boolean
  /** For tools that use the whole window. */
  isWide?: boolean
  children: ReactNode
}

/**
 * The frame of every page: heading, description, actions. The heading gets the focus, so that screen readers start
 * there.
 */
export function Page({
  title,
  description,
  actions,
  trail = [],
  badge,
  isNarrow = false,
  isWide = false,
  children,
}: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Sendwright`
  }, [title])
  useEffect(() => {
    if (!isAtWork()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={isWide ? 'content content-wide' : isNarrow ? 'content content-narrow' : 'content'}>
      {trail.length > 0 && (
        <Breadcrumbs mb="xs" separatorMargin={6} fz="sm" className="trail">
          {trail.map(({ label, to }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <div className="page-head">
        <div>
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {badge}
          </Group>
          {description !== undefined && <div className="page-note">{description}</div>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/**
 * Returns whether the user already works on the page or in a dialog, for example because data arrived late. The focus
 * then stays where it is.
 */
function isAtWork(): boolean {
  const focused = document.activeElement
  return focused?.closest('#main > *, [role="dialog"]') != null
}
