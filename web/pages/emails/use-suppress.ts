import { requestJson } from '../../api/request.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'

/** Returns a function that suppresses an address. The notification lets the user undo it. */
export function useSuppress(): (address: string) => void {
  const team = useTeam()
  const change = useChange({ onError: notifyError })
  return (address) => {
    const undo = () =>
      void requestJson(`/suppressions/${encodeURIComponent(address)}`, {
        method: 'DELETE',
        teamId: team.id,
      }).then(() => notifyDone(`Suppression of ${address} removed.`), notifyError)
    change.mutate(
      { path: '/suppressions', method: 'POST', body: { email: address } },
      { onSuccess: () => notifyDone(`${address} suppressed.`, undo) },
    )
  }
}
