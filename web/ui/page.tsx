import { Anchor, Box, Breadcrumbs, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface PageProps {
  /** The heading, and the title of the browser's window. */
  title: string
  /** What this page is for, in a sentence. */
  description?: ReactNode
  actions?: ReactNode
  /** Where this page lies: links above its heading. */
  trail?: readonly { label: string; to: string }[]
  /** Beside the heading: a state. */
  badge?: ReactNode
  /** Of text and forms, which are read better in lines that are not too long. */
  isNarrow?: boolean
  children: ReactNode
}

/** The frame of every page: heading, what it is for, what can be done. Whoever comes here hears the heading first. */
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

/** Whether somebody is in the middle of the page or of a dialog already, as when what was waited for arrives: they stay there. */
function isAtWork(): boolean {
  const focused = document.activeElement
  return focused?.closest('#main > *, [role="dialog"]') != null
}
