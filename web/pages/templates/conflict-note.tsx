import { Alert, Button, Group } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTeam } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import type { Editing } from './use-draft.ts'

/** Somebody else saved while this was being edited: nothing is written over until it is said which holds. */
export function ConflictNote({ editing: { theirs, takeTheirs, save, isSaving } }: { editing: Editing }) {
  const team = useTeam()
  if (theirs === null) return null
  return (
    <Alert
      color="orange"
      icon={<IconGitMerge size={18} />}
      title="Somebody saved this template meanwhile"
      role="alert"
      mb="md"
    >
      It is at version {theirs.version} since <Moment at={theirs.updated_at} />. Your changes are not saved
      yet.
      <Group gap="xs" mt="sm">
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>
          Drop mine, show theirs
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={isSaving}
          onClick={() => void save(undefined, true)}
        >
          Save mine over theirs
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          component={Link}
          to={`/${team.id}/templates/${theirs.id}/versions`}
          target="_blank"
        >
          See what they changed (new window)
        </Button>
      </Group>
    </Alert>
  )
}
