import type { EditedGraph } from './edit-graph.ts'
import type { PlacedStep } from './layout-graph.ts'

/**
 * Returns the step to which an arrow key leads: up and down along connections, left and right among the steps beside. Null: none,
 * or another key.
 */
export function neighbourOf(
  places: readonly PlacedStep[],
  { connections }: EditedGraph,
  key: string,
  pressed: string,
): string | null {
  const here = places.find((each) => each.key === key)
  if (here === undefined) return null
  const isReached = ({ key: other, x, y }: PlacedStep): boolean => {
    switch (pressed) {
      case 'ArrowUp':
        return connections.some(({ from, to }) => from === other && to === key)
      case 'ArrowDown':
        return connections.some(({ from, to }) => from === key && to === other)
      case 'ArrowLeft':
        return y === here.y && x < here.x
      case 'ArrowRight':
        return y === here.y && x > here.x
      default:
        return false
    }
  }
  const distance = ({ x }: PlacedStep) => Math.abs(x - here.x)
  const reached = places.filter((place) => place.key !== key && isReached(place))
  return reached.sort((one, other) => distance(one) - distance(other) || one.x - other.x)[0]?.key ?? null
}
