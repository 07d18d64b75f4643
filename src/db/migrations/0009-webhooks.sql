-- Whom a team wants to be told of events. An endpoint follows its team's feed (event_feed) by a position of its own, so
-- that an event waits in no row for an endpoint until it was tried there. A process leases whole endpoints: whoever has one
-- sends its new events and its retries, and nobody else does.
create table webhook (
  team_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  -- Event names; empty: all.
  types text[] not null,
  status text not null check (status in ('enabled', 'disabled')),
  -- Why it was switched off by the service, in words for its owner; null when a person did it.
  disabled_reason text,
  disabled_at timestamptz,
  -- Sealed with the installation's key (base/seal.ts). The old one still signs until its time is over.
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  -- All events of the feed up to this one were tried here, or are none of its business.
  position bigint not null check (position >= 0),
  -- Since when nothing has succeeded; null: the last try did.
  failing_since timestamptz,
  -- When its earliest retry is due; null: nothing is to be tried again.
  next_retry_at timestamptz,
  -- Until then nothing of the feed is tried here: it fails, or asked for patience.
  probe_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint webhook_lease_whole check ((leased_until is null) = (leased_by is null)),
  constraint webhook_old_secret_ends check ((sealed_old_secret is null) = (old_secret_until is null)),
  constraint webhook_disabled_has_time check ((disabled_at is null) = (status = 'enabled'))
) with (fillfactor = 50);
create index webhook_enabled on webhook (team_id) where status = 'enabled';

-- One event at one endpoint, from its first try on. Partitioned by week over its UUIDv7.
create table webhook_delivery (
  team_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  -- The event and its subject: what was sent is made from them again for every try. Null: a test.
  event_id uuid,
  subject_id uuid,
  type text not null,
  -- What a test sends in place of an event's data.
  payload jsonb,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  due_at timestamptz,
  -- [{ at, status, latency_ms, error }], oldest first.
  tries jsonb not null,
  -- Of the newest answer: its status, and the first 4 KB of its body as text.
  answer_status smallint,
  answer text,
  -- It was made to be sent again as this one, which speaks for the event from then on.
  replayed_as uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, webhook_id, id),
  constraint webhook_delivery_waiting_has_due check ((due_at is null) = (status <> 'waiting')),
  constraint webhook_delivery_has_content check ((event_id is null) = (payload is not null) and (event_id is null) = (subject_id is null))
) partition by range (id);
create index webhook_delivery_due on webhook_delivery (team_id, webhook_id, due_at) where due_at is not null;
-- Those that succeed, nearly all, pay for no second entry.
create index webhook_delivery_open on webhook_delivery (team_id, webhook_id, status, id) where status <> 'delivered';
