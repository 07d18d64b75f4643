-- The feed of a team's events: numbered in the order of commits, without gaps (docs/adr/0018). One row a team, locked by
-- the last statement of every transaction that records events.
create table event_feed (
  team_id uuid primary key,
  -- The number of the newest event.
  position bigint not null check (position >= 0)
) with (fillfactor = 50);

alter table event add column position bigint;
-- What was recorded before there was a feed is numbered by its time.
update event e
set position = n.position
from (
  select team_id, subject_id, id, row_number() over (partition by team_id order by created_at, id) as position
  from event
) n
where e.team_id = n.team_id and e.subject_id = n.subject_id and e.id = n.id;
insert into event_feed (team_id, position)
select team_id, max(position)
from event
group by team_id;
alter table event alter column position set not null;
create index event_feed_order on event (team_id, position);
-- What a reader may look for among millions of others. Its condition stands word for word in events/feed-page.ts; types
-- that are not in it are found by looking along the feed.
create index event_feed_rare on event (team_id, type, position)
where type in (
  'email.bounced', 'email.failed', 'email.rejected', 'email.suppressed', 'email.canceled', 'email.complained',
  'email.received', 'contact.deleted', 'contact.unsubscribed', 'domain.created', 'domain.verified', 'domain.failed',
  'domain.deleted', 'suppression.added', 'suppression.removed', 'webhook.disabled',
  'team.paused', 'team.resumed'
);

-- Why a team's sending is paused, in words for its people, and who paused it: an operator, or the service itself when too
-- much of its mail bounced or was complained about. An operator's resume holds against the service until `guard_until`.
alter table team
  add column sending_paused_reason text,
  add column sending_paused_by text check (sending_paused_by in ('operator', 'reputation')),
  add column guard_until timestamptz;
update team
set sending_paused_by = 'operator'
where sending_paused_at is not null;
