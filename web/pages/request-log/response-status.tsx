import { Badge } from '@mantine/core'

const COLORS: Readonly<Record<string, string>> = { 2: 'green', 4: 'orange', 5: 'red' }

/** A status of HTTP, in the color of its class. */
export function ResponseStatus({ status }: { status: number }) {
  return <Badge color={COLORS[String(status).charAt(0)] ?? 'gray'}>{status}</Badge>
}
