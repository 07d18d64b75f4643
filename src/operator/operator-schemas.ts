import Type from 'typebox'
import {
  DeliveryKind,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/schemas.ts'

export const NodeRecord = Type.Object(
  {
    object: Type.Literal('node'),
    id: Uuid,
    host: Text('The name of its machine.'),
    process_id: Type.Integer({ description: 'Of the operating system there.' }),
    roles: Type.Array(Type.Enum(['api', 'deliver', 'inbound', 'webhooks', 'scheduler'])),
    version: Text('Of the program.'),
    state: Type.Enum(['up', 'silent'], { description: 'silent: it said nothing for 15 seconds.' }),
    started_at: Timestamp,
    last_seen_at: Timestamp,
    deliveries_held: IntegerOrNull('Deliveries in its hands; null: it does not deliver.'),
    sites: Type.Integer({ description: 'Sites that it delivers to.' }),
    connections: Type.Integer({ description: 'Connections that it has open to them.' }),
    memory_bytes: Type.Integer({ description: 'Of the process, without PostgreSQL.' }),
  },
  {
    title: 'Node',
    examples: [
      {
        object: 'node',
        id: '5f0c1c0e-2f0a-4a51-9b6b-0d9b6f3f2c11',
        host: 'mail1',
        process_id: 4711,
        roles: ['api', 'deliver', 'inbound', 'webhooks', 'scheduler'],
        version: '0.1.0',
        state: 'up',
        started_at: '2026-01-31 08:00:00',
        last_seen_at: '2026-01-31 12:00:03',
        deliveries_held: 64,
        sites: 12,
        connections: 30,
        memory_bytes: 180_000_000,
      },
    ],
  },
)

const Database = Type.Union(
  [
    Type.Object({
      reachable: Type.Literal(true),
      kind: Type.Enum(['embedded', 'external'], { description: 'external: that of DATABASE_URL.' }),
      version: Text('Of PostgreSQL.'),
      size_bytes: Type.Integer({ description: 'Of the whole database on its disk.' }),
      in_recovery: Type.Boolean({ description: 'A standby, or replaying after a crash.' }),
      connections: Type.Integer({ description: 'Open, of everybody.' }),
      connections_max: Type.Integer({ description: 'Of the server.' }),
      replicas: Type.Array(
        Type.Object({
          name: Text('What it calls itself.'),
          state: TextOrNull('`streaming` where all is well; null: this login may not see it.'),
          lag_bytes: IntegerOrNull('What it has not applied yet.'),
        }),
      ),
    }),
    Type.Object({ reachable: Type.Literal(false), kind: Type.Enum(['embedded', 'external']) }),
  ],
  { title: 'DatabaseHealth', description: 'Nothing but its kind where it does not answer.' },
)

export const HealthRecord = Type.Object(
  {
    object: Type.Literal('health'),
    as_of: Type.Union([Timestamp], { description: 'When it was looked at.' }),
    version: Text('Of the program.'),
    status: Type.Enum(['ok', 'warning', 'problem'], { description: 'The worst of the findings.' }),
    delivery: DeliveryKind,
    database: Database,
    disk: Type.Union(
      [
        Type.Object({
          free_bytes: Type.Integer({ description: 'For this program.' }),
          total_bytes: Type.Integer({ description: 'Of the disk.' }),
        }),
        Type.Null(),
      ],
      { description: 'Of the data directory; null: it cannot be looked at.' },
    ),
    queue: Type.Union(
      [
        Type.Object({
          oldest_ready_seconds: Type.Integer({
            description: 'How long the oldest ready delivery has waited.',
          }),
          oldest_ready_seconds_max: Type.Union([Type.Number(), Type.Null()], {
            description: 'Beyond it `GET /readyz` fails; null: never for that.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Null: the database does not answer.' },
    ),
    certificate_expires_at: Type.Union([TimestampOrNull], {
      description:
        'Of SENDWRIGHT_TLS_CERT; null: none is set, and the listeners sign their own, or it cannot be read.',
    }),
    last_backup: Type.Union(
      [
        Type.Object({
          made_at: Timestamp,
          rows: Type.Integer({ description: 'Written.' }),
          bytes: Type.Integer({ description: 'Of the rows, before they were compressed.' }),
        }),
        Type.Null(),
      ],
      { description: 'By `sendwright backup`; null: none is known. Other ways to make one are not.' },
    ),
    findings: Type.Array(
      Type.Object({
        check: Text('What was looked at.'),
        level: Type.Enum(['ok', 'note', 'warning', 'problem']),
        found: Text('What was found.'),
        advice: TextOrNull('What to do.'),
      }),
    ),
  },
  {
    title: 'InstallationHealth',
    examples: [
      {
        object: 'health',
        as_of: '2026-01-31 12:00:05',
        version: '0.1.0',
        status: 'ok',
        delivery: 'direct',
        database: {
          reachable: true,
          kind: 'embedded',
          version: '18.1',
          size_bytes: 1_200_000_000,
          in_recovery: false,
          connections: 31,
          connections_max: 100,
          replicas: [],
        },
        disk: { free_bytes: 80_000_000_000, total_bytes: 200_000_000_000 },
        queue: { oldest_ready_seconds: 0, oldest_ready_seconds_max: 900 },
        certificate_expires_at: '2026-04-30 00:00:00',
        last_backup: { made_at: '2026-01-31 03:00:00', rows: 1_000_000, bytes: 900_000_000 },
        findings: [
          {
            check: 'disk of /var/lib/sendwright',
            level: 'ok',
            found: '80.0 GB free of 200.0 GB.',
            advice: null,
          },
        ],
      },
    ],
  },
)
