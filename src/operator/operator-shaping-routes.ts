import Type from 'typebox'
import { type Route, routesOf } from '../http/route.ts'
import { IntegerOrNull, Text, TextOrNull, Timestamp, TimestampOrNull } from '../http/schemas.ts'
import { formatTime } from '../lib/time/format-time.ts'
import type { OperatorView, ShownRule } from './operator-view.ts'

interface Deps {
  operatorView: OperatorView
}

const { route } = routesOf<Deps>()

const NamesOrNull = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Null()], { description })

const RULE_EXAMPLE = {
  name: 'Google',
  source: 'built_in',
  match: { mx: ['google.com', 'googlemail.com'], domain: null },
  connections_max: 20,
  connections_start: null,
  messages_per_connection: 50,
  rate: null,
  replies: [{ pattern: '\\b4\\.7\\.28\\b', stage: null, code: null, action: 'pause', for_seconds: 600 }],
}

const Rule = Type.Object(
  {
    name: Text('As sites name it in `rules`.'),
    source: Type.Enum(['built_in', 'file'], { description: 'Whose it is: `file` is the operator’s.' }),
    match: Type.Object({
      mx: NamesOrNull('What MX hosts’ names end with; null: any.'),
      domain: NamesOrNull('Recipients’ domains; null: any.'),
    }),
    connections_max: IntegerOrNull('Of one process, at a time; null: the next rule that fits says.'),
    connections_start: IntegerOrNull('Where it begins.'),
    messages_per_connection: IntegerOrNull('Then a connection is closed.'),
    rate: TextOrNull('Messages in a time, such as `100/1m`.'),
    replies: Type.Array(
      Type.Object({
        pattern: Text('A regular expression over the reply.'),
        stage: TextOrNull('The part of the conversation; null: any.'),
        code: IntegerOrNull('The reply’s code; null: any.'),
        action: Type.Enum(['slow_down', 'pause', 'stop']),
        for_seconds: Type.Union([Type.Number(), Type.Null()], {
          description: 'How long; null: as the reply says, or the usual.',
        }),
      }),
    ),
  },
  { title: 'ShapingRule' },
)

export const Shaping = Type.Object(
  {
    object: Type.Literal('shaping'),
    file: TextOrNull('SENDWRIGHT_RULES_FILE; null: what is built in alone.'),
    loaded_at: Type.Union([TimestampOrNull], {
      description:
        'Since when these are in force; null: this process does not deliver, and shows what the file says now.',
    }),
    failure: Type.Union(
      [Type.Object({ at: Timestamp, message: Text('What is wrong with the file, by place.') }), Type.Null()],
      { description: 'The file could not be used when it was read last: the rules before stay in force.' },
    ),
    probes_seconds: Type.Array(Type.Number(), {
      description: 'Pauses of a site that cannot be reached, one after the other; the last repeats.',
    }),
    rules: Type.Array(Rule, {
      description: 'In their order: of each setting, the first that says it counts.',
    }),
  },
  {
    title: 'Shaping',
    examples: [
      {
        object: 'shaping',
        file: '/etc/sendwright/rules.json',
        loaded_at: '2026-01-31 08:00:00',
        failure: null,
        probes_seconds: [60, 300, 900],
        rules: [RULE_EXAMPLE],
      },
    ],
  },
)

function ruleToJson(rule: ShownRule) {
  return {
    name: rule.name,
    source: rule.source,
    match: { mx: rule.mx, domain: rule.domains },
    connections_max: rule.connectionsMax,
    connections_start: rule.connectionsStart,
    messages_per_connection: rule.messagesPerConnection,
    rate: rule.rate,
    replies: rule.replies.map(({ forSeconds, ...reply }) => ({ ...reply, for_seconds: forSeconds })),
  }
}

const getShaping = route('GET', '/operator/shaping', {
  tag: 'Operator',
  permission: 'operator',
  limit: 'general',
  operationId: 'getShaping',
  summary: 'Get the shaping rules',
  description:
    'For operators. The rules in force in the process that responds. The file is read again on SIGHUP; an invalid file changes nothing.',
  responses: { 200: { description: 'The rules, the operator’s before the built-in ones.', schema: Shaping } },
  async handle({ deps: { operatorView } }) {
    const { file, loadedAt, failure, probesSeconds, rules } = await operatorView.shaping()
    const json = {
      object: 'shaping',
      file,
      loaded_at: formatTime(loadedAt),
      failure: failure === null ? null : { at: formatTime(failure.at), message: failure.message },
      probes_seconds: probesSeconds,
      rules: rules.map(ruleToJson),
    }
    return { status: 200, json }
  },
})

export const operatorShapingRoutes: readonly Route<Deps>[] = [getShaping]
