import { Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: Icon
  title: string
  /** What this place is for, and how something comes here. */
  children: ReactNode
  action?: ReactNode
  /** It is the whole page, and has the only heading. */
  isPage?: boolean
}

/** A place where nothing is yet: it says what will be, and how. */
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
