/** A node of a syntax tree (ESTree with TypeScript), with its offsets in the source. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

/** Calls `visit` with a node and all below it, outermost first. */
export function visitNodes(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) visitNodes(child, visit)
}

/** Returns the name of the function or method that a call names; empty for others. */
export function calledName(call: Node): string {
  const callee = call.callee as Node
  const name = callee.type === 'MemberExpression' ? (callee.property as Node) : callee
  return typeof name.name === 'string' ? name.name : ''
}
