import { Box, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  /** Without padding, for tables. */
  isFlush?: boolean
  children: ReactNode
}

/** A card of a page. */
export function Section({ title, description, actions, isFlush = false, children }: SectionProps) {
  return (
    <Box component="section" className="card" mb="md">
      {title !== undefined && (
        <Group justify="space-between" px="md" pt="md" pb={isFlush ? 'sm' : 0} gap="xs">
          <Box style={{ flex: '1 1 240px' }}>
            <Title order={2}>{title}</Title>
            {description !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {description}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <Box p={isFlush ? 0 : 'md'}>{children}</Box>
    </Box>
  )
}
