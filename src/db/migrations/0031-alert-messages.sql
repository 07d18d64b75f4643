-- Alerts by email and webhook (docs/alerts.md). A team is watched while somebody wants its alerts.
create table alert_watch (
  team_id uuid primary key,
  -- When the team's alerts are next compared with those that were announced. A process takes a team by moving it.
  next_at timestamptz not null
);
create index alert_watch_next on alert_watch (next_at);

-- Who gets a team's alerts: a member by email, or the team's webhook, whose id is the team's.
create table alert_channel (
  team_id uuid not null,
  -- The member, or the team.
  id uuid not null,
  type text not null check (type in ('email', 'webhook')),
  is_enabled boolean not null,
  -- The kinds of alerts that it gets.
  kinds text[] not null,
  every_minutes integer not null check (every_minutes between 1 and 1440),
  url text,
  -- Sealed with the installation's key (lib/crypto/seal.ts).
  sealed_secret bytea,
  -- When its first summary was due; null: it is still to come.
  started_at timestamptz,
  last_message_at timestamptz,
  tested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint alert_channel_url check ((url is null) = (type = 'email') and (sealed_secret is null) = (type = 'email'))
);

-- An alert that a channel was told of, until its end was told and a repetition may be told again.
create table alert_told (
  team_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  -- Id or name of the record concerned; empty: the whole team.
  subject text not null,
  name text,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  told_at timestamptz not null,
  -- Since when it is absent. It may only pause.
  missing_since timestamptz,
  -- When its end was told.
  ended_at timestamptz,
  primary key (team_id, channel_id, kind, subject)
);

-- Messages to channels, written together with what they tell. Sent ones are the log.
create table alert_message (
  team_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  reason text not null check (reason in ('summary', 'change', 'test')),
  -- { items: [{ state, kind, severity, name, message, since }], more }
  content jsonb not null,
  status text not null check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null check (attempts >= 0),
  -- When it is next attempted. A process takes a message by moving it.
  due_at timestamptz,
  leased_by uuid,
  -- Why the last attempt failed, for people.
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint alert_message_waiting_has_due check ((due_at is null) = (status <> 'waiting'))
);
create index alert_message_due on alert_message (due_at) where due_at is not null;
create index alert_message_created on alert_message (created_at);
create index alert_message_channel on alert_message (team_id, channel_id, id);
