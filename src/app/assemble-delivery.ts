import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { listenOn } from '../db/listen.ts'
import { startCaptureSink } from '../delivery/dispatch/capture.ts'
import { createConnector } from '../delivery/dispatch/connect.ts'
import { createDeliverer, type Deliverer } from '../delivery/dispatch/deliver.ts'
import {
  findSuppressed,
  loadOne,
  loadTags,
  prepareDeliveries,
} from '../delivery/dispatch/prepare-deliveries.ts'
import { createRouting } from '../delivery/routing/routing.ts'
import { createSettler } from '../delivery/settle/settle-deliveries.ts'
import type { Signer } from '../delivery/sign-message.ts'
import { startRules } from '../delivery/sites/live-rules.ts'
import { SiteBoard } from '../delivery/sites/site-board.ts'
import { probesAfter } from '../delivery/sites/site-throttle.ts'
import { createLoopSlicer } from '../lib/async/loop-slicer.ts'
import type { Signal } from '../lib/async/signal.ts'
import { createHashAddress } from '../lib/crypto/erased-address.ts'
import { DnsClient } from '../lib/dns/dns.ts'
import { MxResolver } from '../lib/dns/mx.ts'
import type { Log } from '../lib/log.ts'
import { createGuard } from '../lib/net/egress-guard.ts'
import type { Clock } from '../lib/time/clock.ts'
import { findAttemptedCategories } from '../queue/attempted-categories.ts'
import type { Backpressure } from '../queue/backpressure.ts'
import { startWorker } from '../queue/worker.ts'
import { assembleJournal } from './assemble-journal.ts'
import { countReports, gaugeHeld, gaugeSites } from './assemble-metrics.ts'
import type { ShapingView } from './assemble-shaping.ts'
import { assembleSources } from './assemble-sources.ts'
import { assembleTls } from './assemble-tls.ts'

interface Parts {
  config: Config
  db: Db
  /** With CLAIM_POOL's options. */
  claims: Db
  clock: Clock
  log: Log
  nodeId: string
  backpressure: Backpressure
  signer: Signer
  returnPathKey: Buffer
  /** The installation's. */
  secret: Buffer
  due: Signal
  registry: Registry
  /** Told of the rules in force. */
  shaping: Pick<ShapingView, 'follow'>
  /** Run when the operator asks for it (SIGHUP). */
  reloads: (() => Promise<void>)[]
  stops: (() => Promise<void>)[]
}

/** With so many under way a batch waits for its next: few large ones cost less than many small ones. */
const GATHER_COUNT_MIN = 200
const GATHER_MS = 20
/** Of each round of the event loop, for messages that begin. */
const BEGIN_MS = 2
/** Signatures under way at a time: as many as the processors make in a round, and not as many as there are connections. */
const SIGNING_MAX = 32

/** The delivery role: worker, sites, connections, settling; in capture mode also the sink at the other end. */
export async function assembleDelivery(parts: Parts): Promise<Deliverer> {
  const { config, db, clock, log, nodeId, backpressure, signer, due, registry, reloads, stops } = parts
  const hashAddress = createHashAddress(parts.secret)
  const { delivery: mode } = config
  const mx = new MxResolver(new DnsClient({ servers: config.dnsServers, clock }))
  const sources = assembleSources({ config, db, clock, log, signer, mx })
  stops.push(() => sources.close())
  const rules = await startRules(config.rulesFile, log, (next) => sources.use(next.sources), clock)
  parts.shaping.follow(rules)
  const routing = createRouting(mode, mx, clock, rules.current, (delivery) => loadTags(db, delivery))
  const asksTags = () => sources.asksTags() || rules.current().routes.some(({ tag }) => tag !== null)
  const sink = mode.kind === 'capture' ? await startCaptureSink(parts) : null
  if (sink !== null) stops.push(() => sink.close())
  const guard = createGuard({ allowPrivate: config.allowPrivateNetworks })
  const tls = assembleTls({ ...parts, mx, guard })
  const { yieldTurn } = backpressure
  const slicer = createLoopSlicer({ sliceMs: BEGIN_MS, heldMax: SIGNING_MAX, yieldTurn })
  const connector = createConnector({
    clock,
    signer,
    mx,
    guard,
    tls,
    mxPort: config.mxPort,
    captureTarget: sink?.target ?? null,
    load: (delivery) => loadOne(db, delivery),
    slicer,
    begun: ({ teamId }) => backpressure.end(teamId),
  })
  const count = countReports(registry)
  const settling = {
    db,
    clock,
    log,
    nodeId,
    retryScheduleMs: config.retryScheduleMs,
    random: Math.random,
    async ready() {
      if (deliverer.heldCount >= GATHER_COUNT_MIN) await pause(GATHER_MS)
      await yieldTurn()
    },
  }
  // Before the first claim: what others delivered and could not settle is sent to nobody again.
  const journal = await assembleJournal({ config, settling, stops })
  const settler = createSettler(settling)
  const usualProbesMs = probesAfter(config.retryScheduleMs)
  const board = new SiteBoard({ db, clock, log, nodeId, wake: () => due.notify() })
  const deliverer: Deliverer = createDeliverer({
    clock,
    log,
    backpressure,
    slicer,
    retryScheduleMs: config.retryScheduleMs,
    random: Math.random,
    routing,
    pickSource: sources.pick,
    countSources: sources.count,
    board,
    shaping: () => rules.current().shaping,
    probesMs: () => rules.current().probesMs ?? usualProbesMs,
    attemptedCategoriesOf: (delivery) => findAttemptedCategories(db, delivery),
    open: connector.open,
    sender: signer.sender,
    tlsClass: tls.tlsClass,
    isSuppressed: async (delivery) => (await findSuppressed(db, hashAddress, [delivery])).size > 0,
    prepare: (deliveries) => prepareDeliveries(db, hashAddress, deliveries, asksTags()),
    settle: (report) => {
      journal.note(report)
      count(report)
      sources.note(report)
      return settler.add(report).then(() => journal.forget(report))
    },
    wake: () => due.notify(),
  })
  reloads.push(async () => {
    await rules.reload()
    deliverer.reshape()
  })
  gaugeHeld(registry, () => deliverer.heldCount)
  gaugeSites(registry, deliverer.sites)
  await board.start(deliverer.sites)
  stops.push(() => board.stop())
  const worker = startWorker({
    db,
    claims: parts.claims,
    clock,
    log,
    nodeId,
    destination: deliverer,
    signal: due,
  })
  stops.push(() => worker.stop())
  const listener = listenOn(db, log, 'sendwright_due', () => due.notify())
  listener.start()
  stops.push(() => listener.stop())
  return deliverer
}
