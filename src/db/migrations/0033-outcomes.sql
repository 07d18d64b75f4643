-- Metrics by sender, and of simulated mail: a dimension `x_simulated` holds what `x` leaves out, under the same keys.
alter table metric drop constraint metric_dimension_check;
alter table metric add constraint metric_dimension_check
  check (dimension in (
    'all', 'domain', 'tag', 'template', 'sender', 'provider', 'reason',
    'all_simulated', 'domain_simulated', 'tag_simulated', 'template_simulated', 'sender_simulated', 'reason_simulated'
  ));

-- Emails by the hour, day and month in which they were accepted, and by their status: the counts of the list of emails.
-- An email moves from one column to another, so a row can lose counts.
create table metric_outcome (
  team_id uuid not null,
  grain text collate "C" not null check (grain in ('hour', 'day', 'month')),
  since timestamptz not null,
  -- Whether all recipients are at the simulator.
  simulated boolean not null,
  emails bigint not null,
  delivered bigint not null,
  sent bigint not null,
  partially_delivered bigint not null,
  bounced bigint not null,
  failed bigint not null,
  rejected bigint not null,
  suppressed bigint not null,
  canceled bigint not null,
  -- With a first open, click or complaint.
  opened bigint not null,
  clicked bigint not null,
  complained bigint not null,
  primary key (team_id, grain, since, simulated)
) with (fillfactor = 50);
create index metric_outcome_age on metric_outcome (grain, since);

-- The counted status of an email with several recipients, which follows from all of them. With one recipient, the events
-- say it.
create table metric_status (
  team_id uuid not null,
  email_id uuid not null,
  status text collate "C" not null,
  primary key (team_id, email_id)
);
create index metric_status_age on metric_status (email_id);

alter table metric_visit drop constraint metric_visit_name_check;
alter table metric_visit add constraint metric_visit_name_check check (name in ('opened', 'clicked', 'complained'));
-- Few among many opens.
create index metric_visit_complained on metric_visit (team_id, email_id) where name = 'complained';

insert into metric_visit (team_id, email_id, name, recipient)
select e.team_id, e.subject_id, 'complained',
  left(encode(sha256(convert_to(lower(e.data ->> 'recipient'), 'UTF8')), 'hex'), 32)::uuid
from metric_feed f
join event e on e.team_id = f.team_id and e.position <= f.position
where e.type = 'email.complained' and e.data ->> 'recipient' is not null
on conflict do nothing;

-- Emails of events counted before now. The roll-up counts the later ones, so that emails with an event that is not counted
-- yet have the status that their last counted event gave them.
create temporary table counted_email on commit drop as
select e.team_id, e.id, e.recipient_count > 1 as is_shared,
  strpos(lower(e.addressees::text), '@simulator.test') > 0 and not exists (
    select 1
    from jsonb_array_elements_text(
      coalesce(e.addressees -> 'to', '[]') || coalesce(e.addressees -> 'cc', '[]') || coalesce(e.addressees -> 'bcc', '[]')
    ) as a (address)
    where lower(a.address) !~ '@simulator\.test>?\s*$'
  ) as simulated,
  case when p.subject_id is null or (e.recipient_count > 1 and c.type is not null) then e.status else c.type end as status
from metric_feed f
join email e on e.team_id = f.team_id
left join (
  select distinct v.team_id, v.subject_id
  from metric_feed g
  join event v on v.team_id = g.team_id and v.position > g.position
  where v.type like 'email.%'
) p on p.team_id = e.team_id and p.subject_id = e.id
left join lateral (
  select substr(v.type, 7) as type
  from event v
  where v.team_id = e.team_id and v.subject_id = e.id and v.position <= f.position and p.subject_id is not null
    and v.type in (
      'email.queued', 'email.scheduled', 'email.canceled', 'email.suppressed', 'email.sent', 'email.delivered',
      'email.bounced', 'email.failed', 'email.rejected'
    )
  order by v.position desc
  limit 1
) c on true;
delete from counted_email where status is null;

insert into metric_status (team_id, email_id, status)
select team_id, id, status
from counted_email
where is_shared;

insert into metric_outcome (team_id, grain, since, simulated, emails, delivered, sent, partially_delivered, bounced, failed,
  rejected, suppressed, canceled, opened, clicked, complained)
select e.team_id, g.grain, date_trunc(g.grain, e.accepted_at, 'UTC') as since, e.simulated, count(*),
  count(*) filter (where e.status = 'delivered'), count(*) filter (where e.status = 'sent'),
  count(*) filter (where e.status = 'partially_delivered'), count(*) filter (where e.status = 'bounced'),
  count(*) filter (where e.status = 'failed'), count(*) filter (where e.status = 'rejected'),
  count(*) filter (where e.status = 'suppressed'), count(*) filter (where e.status = 'canceled'),
  count(*) filter (where e.names @> '{opened}'), count(*) filter (where e.names @> '{clicked}'),
  count(*) filter (where e.names @> '{complained}')
from (
  select c.*, v.names,
    -- The time in the id, by which the list of emails filters.
    to_timestamp(('x' || lpad(left(replace(c.id::text, '-', ''), 12), 16, '0'))::bit(64)::int8 / 1000.0) as accepted_at
  from counted_email c
  left join (
    select team_id, email_id, array_agg(distinct name) as names
    from metric_visit
    group by team_id, email_id
  ) v on v.team_id = c.team_id and v.email_id = c.id
) e
cross join (values ('hour'), ('day'), ('month')) as g (grain)
group by e.team_id, g.grain, since, e.simulated;
