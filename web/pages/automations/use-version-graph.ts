import type { Automation, AutomationVersion } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import type { EditedGraph } from './graph/edit-graph.ts'

interface VersionGraph {
  /** Undefined until it is loaded; null if the version is not among the latest. */
  graph: EditedGraph | null | undefined
  error: Error | null
  refetch(): Promise<unknown>
}

/** Returns the graph of a version: that of the automation itself if it is active on this version or was never active. */
export function useVersionGraph(automation: Automation, version: number): VersionGraph {
  const { id, status, version: current } = automation
  const isOwn = version === 0 || (version === current && status === 'active')
  const { data, error, refetch } = useGet<{ data: AutomationVersion[] }>(`/automations/${id}/versions`, {
    enabled: !isOwn,
  })
  if (isOwn) return { graph: automation, error: null, refetch }
  const graph = data && (data.data.find((each) => each.version === version) ?? null)
  return { graph, error, refetch }
}
