import Type from 'typebox'
import { IntegerOrNull, Text, TextOrNull, Timestamp, TimestampOrNull } from '../http/route/schemas.ts'
import type { ShownRule } from './operator-view.ts'

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
    name: Text('Name of the rule, as in `rules` of a site.'),
    source: Type.Enum(['built_in', 'file'], { description: '`file`: from the rules file.' }),
    match: Type.Object({
      mx: NamesOrNull('Suffixes of MX host names. Null: any.'),
      domain: NamesOrNull('Recipient domains. Null: any.'),
    }),
    connections_max: IntegerOrNull('Maximum connections per process. Null: the next matching rule decides.'),
    connections_start: IntegerOrNull('Initial number of connections.'),
    messages_per_connection: IntegerOrNull('Messages before a connection is closed.'),
    rate: TextOrNull('Messages per period, such as `100/1m`.'),
    replies: Type.Array(
      Type.Object({
        pattern: Text('Regular expression for the reply.'),
        stage: TextOrNull('Stage of the SMTP session. Null: any.'),
        code: IntegerOrNull('Reply code. Null: any.'),
        action: Type.Enum(['slow_down', 'pause', 'stop']),
        for_seconds: Type.Union([Type.Number(), Type.Null()], {
          description: 'Duration. Null: as in the reply, or the default.',
        }),
      }),
    ),
  },
  { title: 'ShapingRule' },
)

export const ShapingRecord = Type.Object(
  {
    object: Type.Literal('shaping'),
    file: TextOrNull('`SENDWRIGHT_RULES_FILE`. Null: only the built-in rules.'),
    loaded_at: Type.Union([TimestampOrNull], {
      description:
        'When the rules took effect. Null: this process does not deliver, and shows the current file.',
    }),
    failure: Type.Union(
      [Type.Object({ at: Timestamp, message: Text('Errors in the file and their positions.') }), Type.Null()],
      { description: 'Set if the file was invalid when last read. The previous rules then remain.' },
    ),
    probes_seconds: Type.Array(Type.Number(), {
      description: 'Successive pauses of an unreachable site. The last one repeats.',
    }),
    rules: Type.Array(Rule, {
      description: 'In order. For each setting, the first matching rule that has it applies.',
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

export function ruleToJson(rule: ShownRule) {
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
