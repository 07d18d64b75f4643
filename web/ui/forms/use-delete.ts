import { useNavigate } from '@tanstack/react-router'
import { useChange, useTeam } from '../../api/team.ts'
import { notifyDone, notifyError } from '../notifications.tsx'
import { confirm, type Question } from './confirm.tsx'

interface Deletion extends Pick<Question, 'title' | 'children' | 'action'> {
  /** API path of the record. */
  path: string
  /** Further API paths to refetch. */
  touches?: readonly string[]
  /** The text of the notification. */
  done: string
  /** Where the page of the record leads then: a path below the team. */
  leaveTo?: string
}

/** Returns a function that deletes a record of the team after confirmation. */
export function useDelete({ path, touches = [], done, leaveTo, ...question }: Deletion): () => void {
  const team = useTeam()
  const navigate = useNavigate()
  const change = useChange({
    touches,
    onError: notifyError,
    onDone() {
      notifyDone(done)
      if (leaveTo !== undefined) void navigate({ to: `/${team.id}${leaveTo}`, ignoreBlocker: true })
    },
  })
  return () => confirm({ ...question, onConfirm: () => change.mutate({ path, method: 'DELETE' }) })
}
