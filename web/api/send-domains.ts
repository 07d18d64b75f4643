import type { Domain } from './records.ts'
import { useAll } from './whole-lists.ts'

const USABLE: ReadonlySet<string> = new Set(['verified', 'temporary_failure'])

export const canSend = ({ status }: Domain): boolean => USABLE.has(status)

/** Returns the first domain that can send: null if there is none, undefined until it is known. */
export function useSendDomain(): Domain | null | undefined {
  const { data } = useAll<Domain>('/domains')
  return data === undefined ? undefined : (data.find(canSend) ?? null)
}
