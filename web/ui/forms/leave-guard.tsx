import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { isWithoutSession } from '../../api/ended-session.ts'

interface LeaveGuardProps {
  /** What is edited, such as `template`. */
  noun: string
  isChanged: boolean
  isSaving: boolean
  /** Resolves to whether the changes were saved. */
  save(): Promise<boolean>
  /** The parameter of the address that names the open tab, if another tab closes the editor. */
  tab?: string
}

/** Asks for confirmation before unsaved changes are lost by a link, another tab of the page, Back, or closing the window. */
export function LeaveGuard({ noun, isChanged, isSaving, save, tab }: LeaveGuardProps) {
  const tabOf = (search: unknown) =>
    tab === undefined ? null : (search as Record<string, string | undefined>)[tab]
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: () => isChanged && !isWithoutSession(),
    withResolver: true,
  })
  const saveFirst = async () => {
    if (await save()) proceed?.()
    else reset?.()
  }
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?" size={540}>
      <Text size="sm">This {noun} has unsaved changes.</Text>
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
