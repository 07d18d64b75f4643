import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** Explains the purpose of the page and how to add the first record. */
  children: ReactNode
  action?: ReactNode
  /** Whether this is the whole page, and has its only heading. */
  isPage?: boolean
}

/** Shown in place of an empty list. */
export function EmptyState({ icon: Glyph, title, children, action, isPage = false }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" size={44} radius="xl">
        <Glyph size={22} />
      </ThemeIcon>
      <Title order={isPage ? 1 : 2}>{title}</Title>
      <Text size="sm" c="dimmed" maw={460} component="div">
        {children}
      </Text>
      {action !== undefined && <Group mt="xs">{action}</Group>}
    </Stack>
  )
}
