import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { isWithoutSession } from '../../api/ended-session.ts'
import { setLeaveQuestion } from './leaving.ts'

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

/**
 * Asks for confirmation before unsaved changes are lost by a link, another tab of the page, Back, a logout, or closing the
 * window.
 */
export function LeaveGuard({ noun, isChanged, isSaving, save, tab }: LeaveGuardProps) {
  const tabOf = (search: unknown) =>
    tab === undefined ? null : (search as Record<string, string | undefined>)[tab]
  const { answer, ask } = useQuestion()
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isChanged &&
      (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)) &&
      !(await ask()),
    enableBeforeUnload: () => isChanged && !isWithoutSession(),
  })
  useEffect(() => {
    setLeaveQuestion(isChanged ? ask : null)
    return () => setLeaveQuestion(null)
  }, [isChanged, ask])
  const saveFirst = async () => answer?.(await save())
  return (
    <Modal opened={answer !== null} onClose={() => answer?.(false)} title="Leave without saving?" size={540}>
      <Text size="sm">This {noun} has unsaved changes.</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="subtle" color="red" onClick={() => answer?.(true)}>
          Leave without saving
        </Button>
        <Button variant="default" onClick={() => answer?.(false)} data-autofocus>
          Stay
        </Button>
        <Button onClick={() => void saveFirst()} loading={isSaving}>
          Save and leave
        </Button>
      </Group>
    </Modal>
  )
}

type Answer = (isAllowed: boolean) => void

/** Returns a function that asks, and one that answers while the question is open; otherwise that is null. */
function useQuestion(): { answer: Answer | null; ask: () => Promise<boolean> } {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const ask = useCallback(async () => {
    const isAllowed = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
    setAnswer(null)
    return isAllowed
  }, [])
  return { answer, ask }
}
