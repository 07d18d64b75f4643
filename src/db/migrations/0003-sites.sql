-- Sites (MX sets, as seen from one source) concern the whole installation: no team is named in these tables.

-- Sites that are shut, or were until a moment ago: what every process must know, also one that was started anew.
create table site_pause (
  -- nameOf(key) in src/delivery/site-key.ts.
  name text primary key,
  state text not null check (state in ('paused', 'stopped', 'resumed')),
  paused_until timestamptz not null,
  failures integer not null check (failures >= 0),
  category text not null,
  reason text not null,
  -- The one process that may try whether the site is back, and until when it has that right.
  probed_by uuid,
  probe_until timestamptz,
  changed_at timestamptz not null,
  constraint site_pause_probe_whole check ((probed_by is null) = (probe_until is null))
);
create index site_pause_changed on site_pause (changed_at);

-- What each delivering process has to say of its sites, for people. A process that is gone is known by its last report.
create table site_report (
  node_id uuid not null,
  name text not null,
  site text not null,
  source text not null,
  tls text not null,
  relay boolean not null,
  state text not null check (state in ('open', 'paused', 'stopped', 'probing')),
  connections integer not null check (connections >= 0),
  connections_limit integer not null check (connections_limit >= 0),
  connections_max integer not null check (connections_max >= 0),
  waiting integer not null check (waiting >= 0),
  messages_per_connection integer not null check (messages_per_connection >= 0),
  rate text,
  rules text not null,
  primary key (node_id, name)
);
create table site_reporter (
  node_id uuid primary key,
  reported_at timestamptz not null
);

-- The site that a postponed delivery waits for: when it answers, what waits for it goes at once.
alter table delivery add column waits_for text;
create index delivery_waits_for on delivery (waits_for) where waits_for is not null;
