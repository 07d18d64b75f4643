import { insertRequests } from '../../request-log/request-log-queries.ts'
import { createRequestWriter, type RequestWriter } from '../../request-log/write-requests.ts'
import { countLostRequests } from '../metrics.ts'
import type { Runtime } from '../runtime.ts'

/** Starts the request log. It stops after the listeners, so that it has the last requests too. */
export function startRequestLog({ pools, clock, log, metrics, lifecycle }: Runtime): RequestWriter {
  const writer = createRequestWriter({
    // Not the pool of the API, whose connections acceptance needs.
    write: (requests) => insertRequests(pools.engine, requests),
    clock,
    log,
    onLost: countLostRequests(metrics.registry),
  })
  lifecycle.add('request log', () => writer.stop())
  return writer
}
