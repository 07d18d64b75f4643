import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCopy, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { Automation } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import type { SaveChanges } from './editor/automation-editor.tsx'

interface AutomationActionsProps {
  automation: Automation
  /** Called with the errors of the API about the graph; null when there are none any more. */
  onProblem(error: Error | null): void
  /** Called before activation, so that what the editor shows becomes active. */
  saveChanges: RefObject<SaveChanges>
}

/** The buttons for what can be done with the automation now. */
export function AutomationActions({ automation, onProblem, saveChanges }: AutomationActionsProps) {
  const { id, status } = automation
  const change = useChange({ onError: onProblem })
  const setStatus = (to: 'active' | 'paused', done: string) =>
    change.mutate(
      { path: `/automations/${id}`, method: 'PATCH', body: { status: to } },
      {
        onSuccess: () => {
          onProblem(null)
          notifyDone(done)
        },
      },
    )
  const activate = async () => {
    if (await saveChanges.current()) setStatus('active', 'The automation is active.')
  }
  return (
    <>
      {status === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPause />}
          loading={change.isPending}
          onClick={() => setStatus('paused', 'Automation paused. Its runs wait until you resume it.')}
        >
          Pause
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay />} loading={change.isPending} onClick={() => void activate()}>
          {status === 'paused' ? 'Resume' : 'Activate'}
        </Button>
      )}
      <Duplicate id={id} />
      <Delete automation={automation} />
    </>
  )
}

function Duplicate({ id }: { id: string }) {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange<Automation>({
    onError: notifyError,
    onDone: (copy) => {
      notifyDone('Automation duplicated. This is the copy.')
      void navigate({ to: `/${team.id}/automations/${copy.id}` })
    },
  })
  return (
    <Tooltip label="Duplicate">
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Duplicate"
        onClick={() => change.mutate({ path: `/automations/${id}/duplicate`, method: 'POST' })}
      >
        <IconCopy />
      </ActionIcon>
    </Tooltip>
  )
}

function Delete({ automation: { id, name } }: { automation: Automation }) {
  const ask = useDelete({
    path: `/automations/${id}`,
    title: `Delete “${name}”?`,
    children: 'Its runs end where they are. Templates, lists and segments are kept. This can’t be undone.',
    action: 'Delete automation',
    done: `Automation “${name}” deleted.`,
    leaveTo: '/automations',
  })
  return (
    <ActionIcon variant="default" size={36} aria-label="Delete automation" onClick={ask}>
      <IconTrash />
    </ActionIcon>
  )
}
