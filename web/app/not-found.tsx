import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'

export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      isPage
      title="There is nothing here"
      action={
        <Button component={Link} to="/" variant="default">
          To the overview
        </Button>
      }
    >
      What this link led to was removed, or belongs to a team that you are not in.
    </EmptyState>
  )
}
