import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { noticeSessionEnd } from '../../api/ended-session.ts'
import { ApiError, describeError } from '../../api/errors.ts'
import { keyOf } from '../../api/query-keys.ts'
import { requestJson } from '../../api/request.ts'
import { type Change, useTeamId } from '../../api/team.ts'
import { notifyDone, notifyError } from '../notifications.tsx'

/** Few at a time, so that a long choice does not use up the rate limit of the user's other pages. */
const LANES = 4

interface EachOptions<T> {
  changeOf(row: T): Change
  /** Returns the notification of the successful changes. */
  describe(count: number): string
  /** Called with the rows whose change succeeded, if any. The others stay chosen, so that the user can try them again. */
  onDone(rows: readonly T[]): void
}

interface Each {
  isRunning: boolean
  /**
   * Sends the changes, then reports how many succeeded and, if any failed, the first reason. Stops when the session has ended,
   * which the dialog that asks the user to log in again says, and at a rate limit, which all further changes would exceed too.
   */
  run<T>(rows: readonly T[], options: EachOptions<T>): void
}

/** Changes several records, one request each. */
export function useEach(): Each {
  const teamId = useTeamId(false)
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  return {
    isRunning,
    run(rows, { changeOf, describe, onDone }) {
      setRunning(true)
      const tasks = rows.map((row) => ({ row, change: changeOf(row) }))
      void sendAll(teamId, tasks).then(({ done, failed, firstError, limit }) => {
        setRunning(false)
        if (done.length > 0) {
          notifyDone(describe(done.length))
          onDone(done)
        }
        if (failed > 0) notifyError(new Error(`${failed} failed: ${describeError(firstError)}`))
        if (limit !== null) {
          const left = tasks.length - done.length - failed
          notifyError(new Error(`${left} left unchanged: ${limit.message} Try them again later.`))
        }
        const paths = new Set(tasks.map(({ change: { path } }) => `/${path.split('/')[1]}`))
        for (const path of paths) void client.invalidateQueries({ queryKey: keyOf(teamId, path) })
      })
    },
  }
}

interface Task<T> {
  row: T
  change: Change
}

interface Outcome<T> {
  done: T[]
  failed: number
  firstError: unknown
  /** The rate limit at which the others were left. */
  limit: ApiError | null
}

async function sendAll<T>(teamId: string | null, tasks: readonly Task<T>[]): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: 0, firstError: null, limit: null }
  const waiting = tasks.values()
  const lane = async () => {
    for (const { row, change } of waiting) {
      if (outcome.limit !== null) return
      const { path, ...rest } = change
      try {
        await requestJson(path, { ...rest, teamId })
        outcome.done.push(row)
      } catch (error) {
        if (noticeSessionEnd(error)) return
        if (error instanceof ApiError && error.status === 429) {
          outcome.limit ??= error
          return
        }
        outcome.firstError ??= error
        outcome.failed += 1
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcome
}
