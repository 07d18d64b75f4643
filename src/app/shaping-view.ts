import type { Config } from '../config/config.ts'
import { BUILT_IN } from '../delivery/rules/built-in-rules.ts'
import type { LiveRules } from '../delivery/rules/live-rules.ts'
import { BadRules, type Rules, readRules } from '../delivery/rules/read-site-rules.ts'
import type { SiteRule } from '../delivery/rules/shaping-rules.ts'
import { describeRate } from '../delivery/sites/site-reporter.ts'
import { probesAfter } from '../delivery/sites/site-throttle.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { ShapingInForce, ShownRule } from '../operator/operator-view.ts'

export interface ShapingView {
  /** Shows these rules as in force in this process from now on. */
  follow(rules: LiveRules): void
  read(): Promise<ShapingInForce>
}

/**
 * Creates the operator's view of the rules in force. A process that does not deliver has none, and shows the current
 * content of the file.
 */
export function createShapingView(config: Config, clock: Clock): ShapingView {
  let live: LiveRules | null = null
  const rulesToJson = (rules: Rules | null, loadedAt: Date | null, failure: ShapingInForce['failure']) => ({
    file: config.rulesFile,
    loadedAt,
    failure,
    probesSeconds: (rules?.probesMs ?? probesAfter(config.retryScheduleMs)).map((ms) => ms / 1000),
    rules: (rules?.shaping ?? []).map((rule, index, all) =>
      ruleToJson(rule, index < all.length - BUILT_IN.length ? 'file' : 'built_in'),
    ),
  })
  return {
    follow(rules) {
      live = rules
    },
    async read() {
      if (live !== null) return rulesToJson(live.current(), live.loadedAt(), live.failure())
      try {
        return rulesToJson(await readRules(config.rulesFile), null, null)
      } catch (error) {
        if (!(error instanceof BadRules)) throw error
        return rulesToJson(await readRules(null), null, { at: clock.now(), message: error.message })
      }
    },
  }
}

function ruleToJson(rule: SiteRule, source: ShownRule['source']): ShownRule {
  return {
    name: rule.name,
    source,
    mx: rule.mx,
    domains: rule.domain === null ? null : [...rule.domain],
    connectionsMax: rule.connectionsMax,
    connectionsStart: rule.connectionsStart,
    messagesPerConnection: rule.messagesPerConnection,
    rate: rule.rate === null ? null : describeRate(rule.rate),
    replies: rule.replies.map(({ pattern, stage, code, action, forMs }) => ({
      pattern: pattern.source,
      stage,
      code,
      action,
      forSeconds: forMs === null ? null : forMs / 1000,
    })),
  }
}
