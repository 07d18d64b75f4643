-- How fast and when campaigns are sent (docs/adr/0047-pace.md).
alter table campaign
  -- The most emails that are accepted in an hour; null: no limit.
  add column rate_per_hour integer check (rate_per_hour between 1 and 100000000),
  -- The hours in which it is sent: { from, to, timeZone, days }; null: always.
  add column send_window jsonb;

-- What changes with each part of a campaign: beside its row, because acceptance locks that one against changes of its status.
create table campaign_progress (
  team_id uuid not null,
  campaign_id uuid not null,
  -- The number of its recipients by state, changed in the transactions that change them.
  waiting integer not null default 0,
  accepted integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- When the next email may be accepted at the campaign's rate; null: none was limited yet.
  paced_until timestamptz,
  -- The emails accepted lately, of which those of five minutes earlier count a factor of e less, as of `recent_at`.
  recent double precision not null default 0,
  recent_at timestamptz,
  -- Since when they count; null: none were accepted yet.
  recent_since timestamptz,
  primary key (team_id, campaign_id)
) with (fillfactor = 50);
insert into campaign_progress (team_id, campaign_id, waiting, accepted, skipped, failed)
select c.team_id, c.id, count(r.state) filter (where r.state = 'waiting'), count(r.state) filter (where r.state = 'accepted'),
  count(r.state) filter (where r.state = 'skipped'), count(r.state) filter (where r.state = 'failed')
from campaign c
left join campaign_recipient r on r.team_id = c.team_id and r.campaign_id = c.id
where c.version > 0
group by c.team_id, c.id;

-- What became of a campaign's emails, by the hour of the event and the provider of the recipient. Counted with the feed
-- (docs/adr/0020-rollups-follow-the-feed.md), each event once.
create table campaign_metric (
  team_id uuid not null,
  campaign_id uuid not null,
  since timestamptz not null,
  provider text collate "C" not null,
  attempted bigint not null,
  sent bigint not null,
  delivered bigint not null,
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
  unsubscribed bigint not null,
  primary key (team_id, campaign_id, since, provider)
) with (fillfactor = 50);
