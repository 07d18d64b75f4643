import { Alert, Button, Group } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { useTeam } from '../../../api/team.ts'
import { Link } from '../../../ui/link.tsx'
import { Moment } from '../../../ui/moment.tsx'
import type { Editing } from './use-draft.ts'

/** Shown when someone else saved the template in the meantime: the user decides which version to keep. */
export function ConflictNote({ editing: { theirs, takeTheirs, save, isSaving } }: { editing: Editing }) {
  const team = useTeam()
  if (theirs === null) return null
  return (
    <Alert
      color="orange"
      icon={<IconGitMerge />}
      title="Someone else saved this template"
      role="alert"
      mb="md"
    >
      {theirs.unpublished === null ? `Version ${theirs.version} was saved at` : 'A draft was saved at'}{' '}
      <Moment at={theirs.updated_at} />. Your changes are not saved yet.
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          Discard my changes
        </Button>
        <Button size="compact-sm" variant="default" loading={isSaving} onClick={() => void save(true)}>
          Overwrite their changes
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          component={Link}
          to={`/${team.id}/templates/${theirs.id}/versions`}
          target="_blank"
        >
          View their changes (new window)
        </Button>
      </Group>
    </Alert>
  )
}
