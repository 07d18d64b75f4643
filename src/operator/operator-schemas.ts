import Type from 'typebox'
import {
  DeliveryKind,
  IntegerOrNull,
  Text,
  TextOrNull,
  Timestamp,
  TimestampOrNull,
  Uuid,
} from '../http/route/schemas.ts'

export const NodeRecord = Type.Object(
  {
    object: Type.Literal('node'),
    id: Uuid,
    host: Text('Host name of the machine.'),
    process_id: Type.Integer({ description: 'Process id on the machine.' }),
    roles: Type.Array(Type.Enum(['api', 'deliver', 'inbound', 'webhooks', 'scheduler'])),
    version: Text('Version of Sendwright.'),
    state: Type.Enum(['up', 'silent'], { description: '`silent`: no report for 15 seconds.' }),
    started_at: Timestamp,
    last_seen_at: Timestamp,
    deliveries_held: IntegerOrNull('Deliveries in memory. Null: it does not deliver.'),
    sites: Type.Integer({ description: 'Sites that it delivers to.' }),
    connections: Type.Integer({ description: 'Open connections to these sites.' }),
    memory_bytes: Type.Integer({ description: 'Memory of the process, without PostgreSQL.' }),
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
      kind: Type.Enum(['embedded', 'external'], { description: '`external`: configured by `DATABASE_URL`.' }),
      version: Text('Version of PostgreSQL.'),
      size_bytes: Type.Integer({ description: 'Size of the database on disk.' }),
      in_recovery: Type.Boolean({ description: 'Whether the server is a standby or in crash recovery.' }),
      connections: Type.Integer({ description: 'Open connections of all clients.' }),
      connections_max: Type.Integer({ description: 'Connection limit of the server.' }),
      replicas: Type.Array(
        Type.Object({
          name: Text('Name of the replica.'),
          state: TextOrNull('`streaming` if healthy. Null: the database user cannot see it.'),
          lag_bytes: IntegerOrNull('Bytes of WAL not applied yet.'),
        }),
      ),
    }),
    Type.Object({ reachable: Type.Literal(false), kind: Type.Enum(['embedded', 'external']) }),
  ],
  { title: 'DatabaseHealth', description: 'Only the kind if the database is unreachable.' },
)

export const HealthRecord = Type.Object(
  {
    object: Type.Literal('health'),
    as_of: Type.Union([Timestamp], { description: 'Time of the checks.' }),
    version: Text('Version of Sendwright.'),
    status: Type.Enum(['ok', 'warning', 'problem'], {
      description: 'The most severe level of the findings.',
    }),
    delivery: DeliveryKind,
    database: Database,
    disk: Type.Union(
      [
        Type.Object({
          free_bytes: Type.Integer({ description: 'Bytes available to Sendwright.' }),
          total_bytes: Type.Integer({ description: 'Size of the disk.' }),
        }),
        Type.Null(),
      ],
      { description: 'Disk of the data directory. Null if it cannot be read.' },
    ),
    queue: Type.Union(
      [
        Type.Object({
          oldest_ready_seconds: Type.Integer({
            description: 'Age of the oldest ready delivery.',
          }),
          oldest_ready_seconds_max: Type.Union([Type.Number(), Type.Null()], {
            description: 'Age above which `GET /readyz` fails. Null: no limit.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Null if the database is unreachable.' },
    ),
    certificate_expires_at: Type.Union([TimestampOrNull], {
      description: 'Expiry of `SENDWRIGHT_TLS_CERT`, or the first expiry by ACME, if any.',
    }),
    last_backup: Type.Union(
      [
        Type.Object({
          made_at: Timestamp,
          rows: Type.Integer({ description: 'Rows written.' }),
          bytes: Type.Integer({ description: 'Size of the rows before compression.' }),
        }),
        Type.Null(),
      ],
      { description: 'Last run of `sendwright backup`. Null if there was none.' },
    ),
    findings: Type.Array(
      Type.Object({
        check: Text('What was checked.'),
        level: Type.Enum(['ok', 'note', 'warning', 'problem']),
        found: Text('Result.'),
        advice: TextOrNull('Recommended action.'),
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
