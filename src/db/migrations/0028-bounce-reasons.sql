-- Metrics by the cause of a failure: keys are the categories of `event.data`, and 'unknown' where the cause is not stored.
alter table metric drop constraint metric_dimension_check;
alter table metric add constraint metric_dimension_check
  check (dimension in ('all', 'domain', 'tag', 'template', 'provider', 'reason'));

-- Events counted before now, by their causes. Later ones are counted by the roll-up.
with failure as (
  select e.team_id, e.type, e.created_at, coalesce(e.data ->> 'category', 'unknown') as key
  from metric_feed f
  join event e on e.team_id = f.team_id and e.position <= f.position
  where e.type in ('email.bounced', 'email.failed', 'email.rejected')
    and e.data ->> 'recipient' is not null
    and lower(e.data ->> 'recipient') not like '%@simulator.test'
), reason as (
  select x.team_id, g.grain, date_trunc(g.grain, x.created_at, 'UTC') as since, x.key,
    count(*) filter (where x.type = 'email.bounced') as bounced,
    count(*) filter (
      where x.type = 'email.bounced' and x.key in (
        'no_such_address', 'address_moved', 'address_disabled', 'no_such_domain', 'null_mx', 'no_mail_host',
        'mailbox_unavailable', 'malformed_address'
      )
    ) as bounced_hard,
    count(*) filter (where x.type = 'email.failed') as failed,
    count(*) filter (where x.type = 'email.rejected') as rejected
  from failure x
  cross join (values ('hour'), ('day'), ('month')) as g (grain)
  group by x.team_id, g.grain, since, x.key
)
insert into metric (team_id, grain, dimension, since, key, emails, accepted, queued, scheduled, canceled, attempted, sent,
  delivered, delivery_delayed, bounced, bounced_hard, failed, rejected, suppressed, complained, opened, opened_unique,
  opened_machine, clicked, clicked_unique, clicked_machine)
select team_id, grain, 'reason', since, key, 0, 0, 0, 0, 0, 0, 0, 0, 0, bounced, bounced_hard, failed, rejected, 0, 0, 0, 0, 0,
  0, 0, 0
from reason;

-- Events may be deleted before their counts are. With these rows, the causes still add up to the counts of the team.
insert into metric (team_id, grain, dimension, since, key, emails, accepted, queued, scheduled, canceled, attempted, sent,
  delivered, delivery_delayed, bounced, bounced_hard, failed, rejected, suppressed, complained, opened, opened_unique,
  opened_machine, clicked, clicked_unique, clicked_machine)
select a.team_id, a.grain, 'reason', a.since, 'unknown', 0, 0, 0, 0, 0, 0, 0, 0, 0, a.bounced - r.bounced,
  a.bounced_hard - r.bounced_hard, a.failed - r.failed, a.rejected - r.rejected, 0, 0, 0, 0, 0, 0, 0, 0
from metric a
cross join lateral (
  select coalesce(sum(m.bounced), 0) as bounced, coalesce(sum(m.bounced_hard), 0) as bounced_hard,
    coalesce(sum(m.failed), 0) as failed, coalesce(sum(m.rejected), 0) as rejected
  from metric m
  where m.team_id = a.team_id and m.grain = a.grain and m.dimension = 'reason' and m.since = a.since
) r
where a.dimension = 'all'
  and (a.bounced > r.bounced or a.bounced_hard > r.bounced_hard or a.failed > r.failed or a.rejected > r.rejected)
on conflict (team_id, grain, dimension, since, key) do update
set bounced = metric.bounced + excluded.bounced,
  bounced_hard = metric.bounced_hard + excluded.bounced_hard,
  failed = metric.failed + excluded.failed,
  rejected = metric.rejected + excluded.rejected;
