import type { ReactNode } from 'react'
import { ApiError } from '../../api/errors.ts'
import { AccessFrame, ToLogin } from './access-frame.tsx'

/** Used already, too old, or never one of ours. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'invalid_link' || 'token' in error.fields)

/** A link that leads nowhere any more. `children`: how to get another one. */
export function DeadLink({ children }: { children: ReactNode }) {
  return (
    <AccessFrame title="This link does not work any more" description={children}>
      <ToLogin>To the login</ToLogin>
    </AccessFrame>
  )
}
