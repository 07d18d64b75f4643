import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '../ui/link.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { texts } from './texts.ts'

export function NotFound() {
  return (
    <EmptyState
      icon={IconMapOff}
      isPage
      title={texts.notFound.pageNotFound}
      action={
        <Button component={Link} to="/" variant="default">
          {texts.notFound.goToTheOverview}
        </Button>
      }
    >
      {texts.notFound.recordDeletedBelongsTeam}
    </EmptyState>
  )
}
