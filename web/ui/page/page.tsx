import { Anchor, Box, Breadcrumbs, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface PageProps {
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
    <Box maw={isNarrow ? 820 : 1280} mx="auto" w="100%">
      {trail.length > 0 && (
        <Breadcrumbs mb={6} separatorMargin={6} fz="sm" className="trail">
          {trail.map(({ label, to }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <Box style={{ minWidth: 0, flex: '1 1 260px' }}>
          <Group gap="sm">
            <Title
              order={1}
              ref={heading}
              tabIndex={-1}
              style={{ outline: 'none', overflowWrap: 'anywhere' }}
            >
              {title}
            </Title>
            {badge}
          </Group>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4} maw={680} component="div">
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
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
