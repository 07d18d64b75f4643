import { expect } from 'vitest'
import { type GraphRequest, readGraph, type StoredGraph } from '../../src/automations/graph/read-graph.ts'

export const GRAPH_ID = '0198c0de-0000-7000-8000-0000000000b1'

/** Steps in the form of Resend's SDK. */
export const TRIGGER_STEP = { key: 'start', type: 'trigger', config: { event_name: 'signed_up' } }
export const EMAIL_STEP = { key: 'mail', type: 'send_email', config: { template: { id: GRAPH_ID } } }
export const DELAY_STEP = { key: 'wait', type: 'delay', config: { duration: '1 day' } }
export const EXIT_STEP = { key: 'end', type: 'exit', config: {} }

/** Returns connections from texts such as `start mail` or `if mail condition_met`. */
export function connect(...texts: string[]) {
  return texts.map((text) => {
    const [from, to, type] = text.split(' ')
    return { from, to, ...(type === undefined ? {} : { type }) }
  })
}

/** Reads an automation. Returns its problems by path, without the subject of their sentences. */
export function givenGraph(request: GraphRequest, isActive = false, stored?: StoredGraph) {
  const { graph, settings, problems, shownPath } = readGraph(request, isActive, stored)
  const says = Object.entries(problems.toErrors(shownPath)).map(([path, [message = '']]) => {
    const subject = `The ${path} field `
    expect(message.startsWith(subject) && message.endsWith('.'), message).toBe(true)
    return [path, message.slice(subject.length)] as const
  })
  const errors: Record<string, string> = Object.fromEntries(says)
  return { graph, settings, errors, shownPath }
}
