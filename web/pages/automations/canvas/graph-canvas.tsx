import '@xyflow/react/dist/base.css'
import './graph.css'
import { useComputedColorScheme } from '@mantine/core'
import { Background, Controls, type Edge, MarkerType, ReactFlow } from '@xyflow/react'
import { type CSSProperties, useMemo } from 'react'
import type { EditedGraph } from '../graph/edit-graph.ts'
import { connectionId, type GraphPath } from '../graph/graph-path.ts'
import { layoutGraph, type PlacedStep, STEP_WIDTH } from '../graph/layout-graph.ts'
import { neighbourOf } from '../graph/neighbours.ts'
import type { StepFigure } from '../graph/step-figures.ts'
import { summaryOf } from '../graph/summary.ts'
import { outcomeWord, stepWord } from '../graph/words.ts'
import { heightOfStep, StepBox, type StepNode } from './step-box.tsx'

export interface GraphCanvasProps {
  /** Names the graph, for assistive technology. */
  label: string
  graph: EditedGraph
  /** The names of the records that steps refer to, by id. */
  names: ReadonlyMap<string, string>
  selected?: string | null
  /** The keys of steps with errors. */
  faulty?: ReadonlySet<string>
  /** The rows of figures, by step. */
  figures?: ReadonlyMap<string, readonly StepFigure[][]>
  /** What is highlighted. The rest is faded. */
  path?: GraphPath
  /** Returns the parameters of the page to which a step leads. */
  searchOf?(key: string): object
  /** Makes buttons of the steps. Null: the ground was chosen. */
  onSelect?(key: string | null): void
  onRemove?(key: string): void
}

const NODE_TYPES = { step: StepBox }
const MARGIN = 32
const NO_KEYS: ReadonlySet<string> = new Set()

/**
 * The graph of an automation. The tab key goes through the steps in order, arrow keys along the connections and among the steps
 * beside; Enter opens a step, Delete removes it.
 */
export function GraphCanvas(props: GraphCanvasProps) {
  const { label, graph, figures, path, onSelect } = props
  const colorMode = useComputedColorScheme('light')
  const places = useMemo(
    () => layoutGraph(graph, (key) => heightOfStep(figures?.get(key)?.length ?? 0)),
    [graph, figures],
  )
  const height = Math.max(...places.map((place) => place.y + place.height)) + 2 * MARGIN
  return (
    <section
      className="graph-canvas"
      aria-label={label}
      style={{ '--graph-height': `${height}px` } as CSSProperties}
    >
      <ReactFlow
        nodes={nodesOf(props, places)}
        edges={edgesOf(graph, path)}
        nodeTypes={NODE_TYPES}
        colorMode={colorMode}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: `${MARGIN}px` }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        preventScrolling={false}
        zoomOnScroll={false}
        onPaneClick={() => onSelect?.(null)}
      >
        <Background />
        <Controls showInteractive={false} position="top-right" />
      </ReactFlow>
    </section>
  )
}

function nodesOf(props: GraphCanvasProps, places: readonly PlacedStep[]): StepNode[] {
  const { graph, names, selected, faulty = NO_KEYS, figures, path, searchOf, onSelect, onRemove } = props
  return places.flatMap(({ key, x, y, height }): StepNode[] => {
    const step = graph.steps.find((each) => each.key === key)
    if (step === undefined) return []
    const data = {
      title: stepWord(step.type),
      summary: summaryOf({ type: step.type, config: step.config as Record<string, unknown> }, names),
      isOpen: key === selected,
      isFaulty: faulty.has(key),
      figures: figures?.get(key) ?? [],
      place: path && placeOf(key, path),
      search: searchOf?.(key),
      onOpen: onSelect && (() => onSelect(key)),
      onRemove: onRemove && (() => onRemove(key)),
      neighbourOf: (pressed: string) => neighbourOf(places, graph, key, pressed),
    }
    return [{ id: key, type: 'step', position: { x, y }, width: STEP_WIDTH, height, data }]
  })
}

function placeOf(key: string, { steps, at }: GraphPath): StepNode['data']['place'] {
  if (key === at) return 'end'
  return steps.has(key) ? 'on' : 'off'
}

function edgesOf({ steps, connections }: EditedGraph, path: GraphPath | undefined): Edge[] {
  const types = new Map(steps.map(({ key, type }) => [key, type]))
  return connections.map((connection) => {
    const { from, to, type } = connection
    const isOnly = connections.filter((each) => each.from === from).length === 1
    const id = connectionId(connection)
    const isTaken = path?.connections.has(id) ?? false
    return {
      id,
      source: from,
      target: to,
      type: 'smoothstep',
      label: outcomeWord(type, types.get(from), isOnly),
      markerEnd: { type: MarkerType.ArrowClosed, ...(isTaken && { color: 'var(--app-accent)' }) },
      zIndex: isTaken ? 1 : 0,
      ...(path !== undefined && { className: isTaken ? 'graph-on' : 'graph-off' }),
    }
  })
}
