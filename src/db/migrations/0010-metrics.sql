-- Rollups of events (docs/adr/0020-rollups-follow-the-feed.md): exact, because how far a team's feed is counted is written
-- in the transaction that adds to the counts. Whoever counts a team has its row locked; others pass it over.
create table metric_feed (
  team_id uuid primary key,
  -- All events of the feed up to this one are counted.
  position bigint not null check (position >= 0),
  -- When the newest counted event happened; null: none was counted yet.
  counted_at timestamptz
) with (fillfactor = 50);

-- One row a time, dimension and key. Its count columns are those of store/metric-counts.ts, where each is explained.
create table metric (
  team_id uuid not null,
  grain text collate "C" not null check (grain in ('hour', 'day', 'month')),
  -- `all` has the one key ''.
  dimension text collate "C" not null check (dimension in ('all', 'domain', 'tag', 'template', 'provider')),
  -- When the hour, day or month (UTC) begins.
  since timestamptz not null,
  -- A domain's or template's id, a tag as name:value, a provider; '*' for all beyond the keys counted by name.
  key text collate "C" not null,
  emails bigint not null,
  accepted bigint not null,
  queued bigint not null,
  scheduled bigint not null,
  canceled bigint not null,
  attempted bigint not null,
  sent bigint not null,
  delivered bigint not null,
  delivery_delayed bigint not null,
  bounced bigint not null,
  bounced_hard bigint not null,
  failed bigint not null,
  rejected bigint not null,
  suppressed bigint not null,
  complained bigint not null,
  opened bigint not null,
  opened_unique bigint not null,
  opened_machine bigint not null,
  clicked bigint not null,
  clicked_unique bigint not null,
  clicked_machine bigint not null,
  primary key (team_id, grain, dimension, since, key)
) with (fillfactor = 50);
-- What is too old to be kept.
create index metric_age on metric (grain, since);

-- How long deliveries of the same time, dimension and key took: how many in bucket 0, 1, ... (operations/metrics/delays.ts).
-- Beside the counts, because most readers want those alone, of many keys.
create table metric_delay (
  team_id uuid not null,
  grain text collate "C" not null,
  dimension text collate "C" not null,
  since timestamptz not null,
  key text collate "C" not null,
  counts bigint[] not null,
  primary key (team_id, grain, dimension, since, key)
) with (fillfactor = 50);
create index metric_delay_age on metric_delay (grain, since);

-- Who has opened an email or followed a link of it already: people are counted once.
create table metric_visit (
  team_id uuid not null,
  email_id uuid not null,
  name text collate "C" not null check (name in ('opened', 'clicked')),
  -- The first half of the SHA-256 of the address.
  recipient uuid not null,
  primary key (team_id, email_id, name, recipient)
);
create index metric_visit_age on metric_visit (email_id);
