import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { sessionEnd } from '../../../api/ended-session.ts'
import type { Editing } from './use-draft.ts'

/** Asks for confirmation before unsaved changes are lost by a link, Back, or closing the window. */
export function LeaveGuard({ editing: { isChanged, isSaving, save } }: { editing: Editing }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    // After the end of the session, the changes are kept for the next login (use-kept-draft.ts).
    enableBeforeUnload: () => isChanged && !sessionEnd.isSet(),
    withResolver: true,
  })
  const saveFirst = async () => {
    if (await save()) proceed?.()
    else reset?.()
  }
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?" size={540}>
      <Text size="sm">This template has unsaved changes.</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="subtle" color="red" onClick={() => proceed?.()}>
          Leave without saving
        </Button>
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Stay
        </Button>
        <Button onClick={() => void saveFirst()} loading={isSaving}>
          Save and leave
        </Button>
      </Group>
    </Modal>
  )
}
