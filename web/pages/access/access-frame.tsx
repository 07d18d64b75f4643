import './access.css'
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from '../../ui/link.tsx'
import { Mark } from '../../ui/mark.tsx'

interface AccessFrameProps {
  title: string
  description?: ReactNode
  children: ReactNode
  /** Links below the card. */
  foot?: ReactNode
}

/** The frame of pages that need no login. */
export function AccessFrame({ title, description, children, foot }: AccessFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Sendwright`
    // Screen readers announce each step of a page by its heading. A focused field keeps the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <Box component="main" className="access">
      <Stack gap="lg" w="100%" maw={420} mx="auto">
        <Group gap="sm" justify="center">
          <Mark sizePx={28} />
          <Text fw={600} size="lg" component="span">
            {'Sendwright'}
          </Text>
        </Group>
        <Box className="card" p={{ base: 'md', xs: 'xl' }}>
          <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed" mt="xs" component="div">
              {description}
            </Text>
          )}
          <Box mt="lg">{children}</Box>
        </Box>
        {foot !== undefined && (
          <Text size="sm" c="dimmed" ta="center" component="div">
            {foot}
          </Text>
        )}
      </Stack>
    </Box>
  )
}

export function ToLogin({ children = 'Back to login' }: { children?: ReactNode }) {
  return (
    <Anchor component={Link} to="/login" size="sm">
      {children}
    </Anchor>
  )
}
