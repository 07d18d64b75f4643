import { ApiError } from '../lib/api-error.ts'

/** Waiting clients hold a connection and memory for long: limits them per team and in total. */
export interface WaitingPlaces {
  /** Takes a place until `gone` aborts. Throws ApiError: 429 when the team has its share, 503 when all are taken. */
  take(teamId: string, gone: AbortSignal): void
}

export interface PlaceCounts {
  ofTeamMax: number
  inAllMax: number
}

/** A rejected client may reach another process, or find a free place. */
const RETRY_AFTER_SECONDS = 5

export function createWaitingPlaces({ ofTeamMax, inAllMax }: PlaceCounts): WaitingPlaces {
  const counts = new Map<string, number>()
  let takenInAll = 0

  function change(teamId: string, by: 1 | -1): void {
    takenInAll += by
    const count = (counts.get(teamId) ?? 0) + by
    if (count === 0) counts.delete(teamId)
    else counts.set(teamId, count)
  }

  return {
    take(teamId, gone) {
      if (gone.aborted) return
      if ((counts.get(teamId) ?? 0) >= ofTeamMax) {
        throw new ApiError(
          'rate_limit_exceeded',
          `No more than ${ofTeamMax} event streams and waiting requests may be open at once.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        )
      }
      if (takenInAll >= inAllMax) {
        throw new ApiError('service_unavailable', 'Too many event streams are open on this server.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      change(teamId, 1)
      gone.addEventListener('abort', () => change(teamId, -1), { once: true })
    },
  }
}
