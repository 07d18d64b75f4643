import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '../ui/link.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'

export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      isPage
      title="Page not found"
      action={
        <Button component={Link} to="/" variant="default">
          Go to Home
        </Button>
      }
    >
      The record was deleted, or it belongs to a team that you are not a member of.
    </EmptyState>
  )
}
