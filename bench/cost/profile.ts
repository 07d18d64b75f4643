import type { Profiler } from 'node:inspector'
import type { ThreadProfile } from './probe-client.ts'
import { type Frame, pathOf, stageOf } from './stages.ts'

/** The CPU time of a stage, or of a function in one stage. */
export interface Share {
  stage: string
  /** The function and its file; '' for a whole stage. */
  name: string
  cpuUs: number
  /** The part in functions that are not JavaScript, for example `writev`. */
  nativeUs: number
}

export interface ThreadCost {
  thread: string
  cpuUs: number
  /** Samples while the thread was at work, times the interval: how much of the CPU time they explain. */
  sampledUs: number
  stages: Share[]
  functions: Share[]
}

/**
 * Divides the CPU time of a thread by its samples. Each sample outside the idle loop counts the same: their intervals
 * also contain the time during which the thread waited for a processor.
 */
export function divideCpu({ threadId, cpuUs, profile }: ThreadProfile, intervalUs: number): ThreadCost {
  const stackOf = createStacks(profile)
  const counts = new Map<number, number>()
  for (const id of profile.samples ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  const stages = new Map<string, Share>()
  const functions = new Map<string, Share>()
  const busy = [...counts].filter(([id]) => stackOf(id)[0]?.functionName !== '(idle)')
  const samples = busy.reduce((sum, [, count]) => sum + count, 0)
  for (const [id, count] of busy) {
    const stack = stackOf(id)
    const stage = stageOf(stack)
    const name = describe(stack[0])
    const part = (cpuUs * count) / samples
    const native = stack[0]?.url === '' ? part : 0
    addTo(stages, stage, { stage, name: '', cpuUs: part, nativeUs: native })
    addTo(functions, `${stage}\n${name}`, { stage, name, cpuUs: part, nativeUs: native })
  }
  return {
    thread: threadId === 0 ? 'main thread' : `worker thread ${threadId}`,
    cpuUs,
    sampledUs: samples * intervalUs,
    stages: sortByCost(stages),
    functions: sortByCost(functions),
  }
}

function describe(frame: Frame | undefined): string {
  if (frame === undefined) return ''
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName
  return frame.url === '' ? name : `${name}, ${pathOf(frame.url)}`
}

function addTo(shares: Map<string, Share>, key: string, share: Share): void {
  const known = shares.get(key)
  if (known === undefined) {
    shares.set(key, share)
    return
  }
  known.cpuUs += share.cpuUs
  known.nativeUs += share.nativeUs
}

function sortByCost(shares: ReadonlyMap<string, Share>): Share[] {
  return [...shares.values()].sort((a, b) => b.cpuUs - a.cpuUs)
}

/** Returns a function that finds the stack of a node, innermost function first. */
function createStacks({ nodes }: Profiler.Profile): (id: number) => Frame[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const stacks = new Map<number, Frame[]>()
  return (id) => {
    const known = stacks.get(id)
    if (known !== undefined) return known
    const stack: Frame[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame !== undefined) stack.push(frame)
    }
    stacks.set(id, stack)
    return stack
  }
}
