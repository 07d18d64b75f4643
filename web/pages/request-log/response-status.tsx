import { State, type Tone } from '../../ui/status-badge.tsx'

const TONES: Readonly<Record<string, Tone>> = { 2: 'green', 4: 'amber', 5: 'red' }

/** A status of HTTP, in the color of its class. */
export function ResponseStatus({ status }: { status: number }) {
  return <State tone={TONES[String(status).charAt(0)] ?? 'gray'}>{status}</State>
}
