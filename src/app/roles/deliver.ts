import { listenOn } from '../../db/listen.ts'
import { AcceptanceTurns } from '../../delivery/dispatch/acceptance-turns.ts'
import { startCaptureSink } from '../../delivery/dispatch/capture.ts'
import { Connector } from '../../delivery/dispatch/connect.ts'
import { Deliverer } from '../../delivery/dispatch/deliver.ts'
import { createFindWithdrawal } from '../../delivery/dispatch/find-withdrawal.ts'
import { loadOne, loadTags, prepareDeliveries } from '../../delivery/dispatch/prepare-deliveries.ts'
import { createRouting } from '../../delivery/routing/routing.ts'
import { startRules } from '../../delivery/rules/live-rules.ts'
import { createSettler, type SettleDeps } from '../../delivery/settle/settle-deliveries.ts'
import type { Report } from '../../delivery/sites/outcomes.ts'
import { SiteBoard } from '../../delivery/sites/site-board.ts'
import { probesAfter } from '../../delivery/sites/site-throttle.ts'
import { createLoopSlicer, type LoopSlicer, type SlicerPace } from '../../lib/async/loop-slicer.ts'
import { findAttemptedCategories } from '../../queue/attempted-categories-queries.ts'
import type { Backpressure } from '../../queue/backpressure.ts'
import { startWorker } from '../../queue/worker.ts'
import { openReportJournal } from '../journal.ts'
import { countReports, gaugeHeld, gaugeSites } from '../metrics.ts'
import { openClaims, type Runtime } from '../runtime.ts'
import type { ShapingView } from '../shaping-view.ts'
import { openSources } from '../sources.ts'
import { openTlsPolicies } from '../tls-policies.ts'

interface Parts {
  backpressure: Backpressure
  /** Receives the rules in force. */
  shaping: Pick<ShapingView, 'follow'>
}

/**
 * Time in each turn of the event loop for starting messages, and the maximum number of concurrent signatures. Messages
 * that start in one turn make later turns longer, when they are signed and when servers reply. A request of another
 * team waits until a turn ends, and its signature waits for those before it.
 */
const CLAIMED_PACE: SlicerPace = { sliceMs: 0.7, heldMax: 12 }
/**
 * The pace while the process delivers many emails that it accepted itself. Longer turns make larger acceptance batches,
 * which cost less for each email.
 */
const HANDED_OFF_PACE: SlicerPace = { sliceMs: 2, heldMax: 32 }
const HANDED_OFF_COUNT_MIN = 50

/**
 * Starts the delivery role: worker, sites, connections and settling, and in capture mode the sink that receives the
 * mail.
 */
export async function startDeliver(runtime: Runtime, { backpressure, shaping }: Parts): Promise<Deliverer> {
  const { config, clock, log, nodeId, due, lifecycle, signer, hashAddress, metrics } = runtime
  const { engine: db } = runtime.pools
  const { retryScheduleMs } = config
  const { rules, sources, routing, needsTags } = await openRoutes(runtime, shaping)
  const { yieldTurn } = backpressure
  const slicer = createLoopSlicer({
    pace: () => (deliverer.handedOffCount < HANDED_OFF_COUNT_MIN ? CLAIMED_PACE : HANDED_OFF_PACE),
    yieldTurn,
  })
  const { open, tlsClass } = await openConnections(runtime, backpressure, slicer)
  // Open this before the first claim, so that messages that other processes delivered but could not settle are not
  // sent again.
  const stopping = new AbortController()
  const settle = await openSettling(runtime, sources, {
    ready: async () => {
      await yieldTurn()
    },
    gather: { inProgressCount: () => deliverer.heldCount, stopped: stopping.signal },
  })
  const defaultProbesMs = probesAfter(retryScheduleMs)
  const board = new SiteBoard({
    db,
    clock,
    log,
    nodeId,
    wake: () => due.notify(),
    closedDomains: () => deliverer.closedDomains(),
  })
  const deliverer: Deliverer = new Deliverer({
    clock,
    log,
    backpressure,
    slicer,
    turns: new AcceptanceTurns(),
    retryScheduleMs,
    random: Math.random,
    routing,
    pickSource: sources.pick,
    countSources: sources.count,
    board,
    shaping: () => rules.current().shaping,
    workers: runtime.supervisor?.place.count ?? 1,
    probesMs: () => rules.current().probesMs ?? defaultProbesMs,
    attemptedCategoriesOf: (delivery) => findAttemptedCategories(db, delivery),
    open,
    sender: signer.sender,
    signAhead: (delivery) => {
      if (delivery.message !== null) signer.signAhead(delivery, delivery.message)
    },
    tlsClass,
    findWithdrawal: createFindWithdrawal(db, hashAddress),
    prepare: (deliveries) => prepareDeliveries(db, hashAddress, deliveries, needsTags()),
    settle,
    wake: () => due.notify(),
  })
  lifecycle.onReload('delivery rules', async () => {
    await rules.reload()
    deliverer.reshape()
  })
  gaugeHeld(metrics.registry, deliverer)
  gaugeSites(metrics.registry, deliverer.sites)
  await board.start(deliverer.sites)
  lifecycle.add('site board', () => board.stop())
  startClaims(runtime, deliverer, stopping)
  return deliverer
}

/**
 * Starts to claim deliveries for `destination`, at once when the database says that some are due.
 * @param stopping aborted when claims stop: from then on, results wait for no others
 */
function startClaims(runtime: Runtime, destination: Deliverer, stopping: AbortController): void {
  const { pools, clock, log, nodeId, due, lifecycle } = runtime
  const { engine: db } = pools
  const claims = openClaims(runtime)
  const worker = startWorker({ db, claims, clock, log, nodeId, destination, signal: due })
  lifecycle.add('worker', () => {
    stopping.abort()
    return worker.stop()
  })
  const listener = listenOn(db, log, 'sendwright_due', () => due.notify())
  listener.start()
  lifecycle.add('due mail listener', () => listener.stop())
}

type Sources = ReturnType<typeof openSources>

/** Opens the rules in force with their sources and routes. */
async function openRoutes(runtime: Runtime, shaping: Parts['shaping']) {
  const { config, clock, log, mx } = runtime
  const { engine: db } = runtime.pools
  const sources = openSources(runtime)
  const rules = await startRules(config.rulesFile, log, (next) => sources.use(next.sources), clock)
  shaping.follow(rules)
  const routing = createRouting(config.delivery, mx, clock, rules.current, (delivery) =>
    loadTags(db, delivery),
  )
  const needsTags = () => sources.needsTags() || rules.current().routes.some(({ tag }) => tag !== null)
  return { rules, sources, routing, needsTags }
}

async function openConnections(runtime: Runtime, backpressure: Backpressure, slicer: LoopSlicer) {
  const { config, clock, log, signer, mx, guard, keys, lifecycle } = runtime
  const { engine: db } = runtime.pools
  const capturing = { db, clock, log, returnPathKey: keys.returnPaths }
  const sink = config.delivery.kind === 'capture' ? await startCaptureSink(capturing) : null
  if (sink !== null) lifecycle.add('capture sink', () => sink.close())
  const tls = openTlsPolicies(runtime)
  const connector = new Connector({
    clock,
    signer,
    mx,
    guard,
    tls,
    mxPort: config.mxPort,
    captureTarget: sink?.target ?? null,
    load: (delivery) => loadOne(db, delivery),
    slicer,
    begun: ({ teamId, isBulk }) => {
      if (!isBulk) backpressure.end(teamId)
    },
  })
  const open: Connector['open'] = (key, delivery) => connector.open(key, delivery)
  return { open, tlsClass: tls.tlsClass }
}

/**
 * Returns a function that settles a report. It resolves when the report is in the database; until then, the journal
 * holds it.
 * @param when decides when a batch starts
 */
async function openSettling(
  runtime: Runtime,
  sources: Pick<Sources, 'note'>,
  when: Pick<SettleDeps, 'ready' | 'gather'>,
) {
  const { config, clock, log, nodeId, pools, metrics } = runtime
  const { retryScheduleMs } = config
  const count = countReports(metrics.registry)
  const isCapturing = config.delivery.kind === 'capture'
  const settling = {
    db: pools.engine,
    clock,
    log,
    nodeId,
    retryScheduleMs,
    random: Math.random,
    isCapturing,
    ...when,
  }
  const journal = await openReportJournal(runtime, settling)
  const settler = createSettler(settling)
  return (report: Report): Promise<void> => {
    journal.note(report)
    count(report)
    sources.note(report)
    return settler.add(report).then(() => journal.forget(report))
  }
}
