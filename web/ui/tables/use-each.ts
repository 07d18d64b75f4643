import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../api/errors.ts'
import { keyOf } from '../../api/query-keys.ts'
import { requestJson } from '../../api/request.ts'
import { type Change, useTeamId } from '../../api/team.ts'
import { notifyDone, notifyError } from '../notifications.tsx'

/** Few at a time, so that a long choice does not use up the rate limit of the user's other pages. */
const LANES = 4

interface Each {
  isRunning: boolean
  /** Sends the changes, then reports how many succeeded and, if any failed, the first reason. */
  run(changes: readonly Change[], describe: (count: number) => string, onDone: () => void): void
}

/** Changes several records, one request each. */
export function useEach(): Each {
  const teamId = useTeamId(false)
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  return {
    isRunning,
    run(changes, describe, onDone) {
      setRunning(true)
      void sendAll(teamId, changes).then(({ done, failed, firstError }) => {
        setRunning(false)
        if (done > 0) notifyDone(describe(done))
        if (failed > 0) notifyError(new Error(`${failed} failed: ${describeError(firstError)}`))
        else onDone()
        const paths = new Set(changes.map(({ path }) => `/${path.split('/')[1]}`))
        for (const path of paths) void client.invalidateQueries({ queryKey: keyOf(teamId, path) })
      })
    },
  }
}

interface Outcome {
  done: number
  failed: number
  firstError: unknown
}

async function sendAll(teamId: string | null, changes: readonly Change[]): Promise<Outcome> {
  const outcome: Outcome = { done: 0, failed: 0, firstError: null }
  const waiting = changes.values()
  const lane = async () => {
    for (const { path, ...rest } of waiting) {
      try {
        await requestJson(path, { ...rest, teamId })
        outcome.done += 1
      } catch (error) {
        outcome.firstError ??= error
        outcome.failed += 1
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcome
}
