import type { Automation, AutomationVersion } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import type { EditedGraph } from './graph/edit-graph.ts'

/**
 * Returns the graph of a version: that of the automation itself if it is active on this version or was never active. Undefined
 * until it is loaded; null if the version is not among the latest.
 */
export function useVersionGraph(automation: Automation, version: number): EditedGraph | null | undefined {
  const { id, status, version: current } = automation
  const isOwn = version === 0 || (version === current && status === 'active')
  const { data } = useGet<{ data: AutomationVersion[] }>(`/automations/${id}/versions`, { enabled: !isOwn })
  if (isOwn) return automation
  return data === undefined ? undefined : (data.data.find((each) => each.version === version) ?? null)
}
