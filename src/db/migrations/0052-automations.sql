-- Automations run (docs/adr/0054-automations.md).

-- The flat steps of earlier versions become a chain. A condition lets only contacts of its segment go on.
alter table automation
  -- { steps: [{ key, type, config }], connections: [{ from, to, type }] } (automations/graph/graph-types.ts), as edited last.
  add column graph jsonb,
  -- Re-entry, exits and lateness (automations/graph/graph-types.ts).
  add column settings jsonb,
  -- The version that starts runs now; 0: it was never active.
  add column version integer not null default 0,
  -- Why Sendwright paused it; null: a person did, or it is not paused.
  add column paused_reason text,
  -- Since when it is active; null: it is not.
  add column active_since timestamptz,
  -- Whether some of its runs came due while it was paused, and go on little by little once it is resumed.
  add column has_parked boolean not null default false,
  -- Up to when the rate at which these go on is used.
  add column unparked_until timestamptz;

update automation a
set graph = jsonb_build_object(
    'steps',
    case when a.begins_on is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
      'key', 'trigger', 'type', 'trigger', 'config', a.begins_on)) end
    || coalesce((
      select jsonb_agg(jsonb_build_object(
        'key', 'step_' || s.no,
        'type', case s.step ->> 'type' when 'wait' then 'delay' when 'update_contact' then 'contact_update'
          else s.step ->> 'type' end,
        'config', case s.step ->> 'type'
          when 'wait' then jsonb_build_object('duration', (s.step ->> 'seconds') || ' seconds')
          when 'condition' then jsonb_build_object('type', 'segment') || (s.step - 'type')
          when 'send_email' then (s.step - 'type' - 'template_id')
            || case when s.step ? 'template_id' then jsonb_build_object('template', jsonb_build_object(
              'id', s.step ->> 'template_id')) else '{}'::jsonb end
          else s.step - 'type' end) order by s.no)
      from jsonb_array_elements(a.steps) with ordinality as s (step, no)), '[]'::jsonb),
    'connections',
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'from', case when s.no = 1 then 'trigger' else 'step_' || (s.no - 1) end,
        'to', 'step_' || s.no,
        'type', case when s.no > 1 and a.steps -> (s.no::int - 2) ->> 'type' = 'condition' then 'condition_met'
          else 'default' end) order by s.no)
      from jsonb_array_elements(a.steps) with ordinality as s (step, no)
      where s.no > 1 or a.begins_on is not null), '[]'::jsonb)),
  settings = '{"reentry": "once", "on_retrigger": "keep", "exits": [], "resume_rate": 600}'::jsonb;

-- Nothing begins that nobody asked for: they were stored as active by versions that ran none.
update automation set status = 'paused', paused_reason = 'upgraded' where status = 'active';

alter table automation
  alter column graph set not null,
  alter column settings set not null,
  drop column begins_on,
  drop column steps;
create index automation_parked on automation (team_id, id) where has_parked and status = 'active';

alter table automation_use drop constraint automation_use_kind_check;
alter table automation_use add constraint automation_use_kind_check
  check (kind in ('segment', 'template', 'sender', 'list', 'property', 'webhook'));

-- What runs follow. Never changes.
create table automation_version (
  team_id uuid not null,
  automation_id uuid not null,
  version integer not null,
  graph jsonb not null,
  settings jsonb not null,
  -- The types of events that its trigger, waits, goals and exits ask about.
  follows text[] not null,
  created_at timestamptz not null,
  primary key (team_id, automation_id, version)
);

-- How far the feed of a team was followed. Teams without automations have no row.
create table automation_feed (
  team_id uuid not null,
  position bigint not null,
  primary key (team_id)
) with (fillfactor = 50);

-- When a contact began an automation last, which also holds when its run is no longer kept.
create table automation_entry (
  team_id uuid not null,
  automation_id uuid not null,
  contact_id uuid not null,
  started_at timestamptz not null,
  primary key (team_id, automation_id, contact_id)
);
create index automation_entry_contact on automation_entry (team_id, contact_id);

-- A contact on its way through an automation.
create table automation_run (
  team_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  version integer not null,
  contact_id uuid not null,
  -- active: it goes on when it is due. parked: it came due while the automation was paused. ended.
  state text not null,
  -- completed, goal, exited, failed or canceled; null: it has not ended.
  outcome text,
  -- Why it ended so, or why it is held up.
  reason text,
  -- Where it is, and how many steps it took before.
  step text not null,
  moves integer not null,
  entered_at timestamptz not null,
  -- When it goes on by itself; null: it waits for an event only, or has ended.
  due_at timestamptz,
  -- The event that it waits for.
  awaits text,
  -- The end of the feed of the team when it began: later events may end it.
  begun_after bigint not null,
  -- Events up to this number are behind its waits.
  heard_until bigint not null,
  -- What began it: { type, event_id, ... }, and what came with it.
  cause jsonb not null,
  payload jsonb not null,
  -- What a digest has collected so far: { count, events }.
  collected jsonb,
  -- How many automations began one another before it.
  depth smallint not null,
  -- Failures in a row that pass by themselves.
  attempts smallint not null default 0,
  leased_until timestamptz,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (team_id, id),
  constraint automation_run_state check (state in ('active', 'parked', 'ended')),
  constraint automation_run_ended check ((state = 'ended') = (outcome is not null))
) with (fillfactor = 80);
create index automation_run_due on automation_run (team_id, due_at) where state = 'active' and due_at is not null;
create index automation_run_parked on automation_run (team_id, automation_id, due_at) where state = 'parked';
-- One at a time for each contact.
create unique index automation_run_of_contact on automation_run (team_id, automation_id, contact_id)
  where state <> 'ended';
-- The runs that an event about a contact concerns, and those of them that wait for it.
create index automation_run_awaits on automation_run (team_id, contact_id, awaits);
create index automation_run_list on automation_run (team_id, automation_id, id);
create index automation_run_at on automation_run (team_id, automation_id, version, step) where state <> 'ended';
-- What retention deletes.
create index automation_run_ended_at on automation_run (team_id, ended_at) where state = 'ended';

-- The latest failures of an automation, for alerts.
create index automation_run_failed on automation_run (team_id, automation_id, ended_at) where outcome = 'failed';

-- The steps that a run took, in order.
create table automation_step_taken (
  team_id uuid not null,
  run_id uuid not null,
  no integer not null,
  automation_id uuid not null,
  version integer not null,
  step text not null,
  -- done, skipped, failed or exited.
  outcome text not null,
  -- What it decided or did, for people.
  detail jsonb,
  email_id uuid,
  entered_at timestamptz not null,
  left_at timestamptz not null,
  primary key (team_id, run_id, no)
);
-- From an email to the step that sent it.
create index automation_step_taken_email on automation_step_taken (team_id, email_id) where email_id is not null;

-- The number of runs by step: those that wait there are those that entered, without those that left.
create table automation_figure (
  team_id uuid not null,
  automation_id uuid not null,
  version integer not null,
  step text not null,
  entered bigint not null default 0,
  done bigint not null default 0,
  skipped bigint not null default 0,
  failed bigint not null default 0,
  exited bigint not null default 0,
  delivered bigint not null default 0,
  bounced bigint not null default 0,
  complained bigint not null default 0,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  primary key (team_id, automation_id, version, step)
) with (fillfactor = 50);

-- The contacts in a segment that an automation is triggered by, as of the last event about them.
create table automation_segment (
  team_id uuid not null,
  segment_id uuid not null,
  -- Contacts up to `until` were there before, and are read in the order of their ids; `read` when all were.
  after uuid,
  until uuid,
  read boolean not null default false,
  primary key (team_id, segment_id)
);
create table automation_member (
  team_id uuid not null,
  segment_id uuid not null,
  contact_id uuid not null,
  primary key (team_id, segment_id, contact_id)
);
create index automation_member_contact on automation_member (team_id, contact_id);

-- How far the dates of contacts were looked through for an automation that they begin, and, within the stretch up to `until`,
-- after which contact.
create table automation_clock (
  team_id uuid not null,
  automation_id uuid not null,
  checked_until timestamptz not null,
  until timestamptz,
  after uuid,
  primary key (team_id, automation_id)
);

-- Events that an application reports (POST /events/send), with the fields that their payload must have.
create table event_definition (
  team_id uuid not null,
  id uuid not null,
  name text not null,
  -- { field: 'string' | 'number' | 'boolean' | 'date' }; null: any.
  schema jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);
create unique index event_definition_name on event_definition (team_id, name);

-- Whoever is told of paused campaigns is told of automations too.
update alert_channel
set kinds = kinds || array['automation_paused', 'automation_failing']
where 'campaign_paused' = any (kinds);

-- Automations that wait for a person (metrics/alerts).
create index automation_stopped on automation (team_id, id) where status = 'paused' and paused_reason is not null;

-- The events that contain an address besides those of event_email, for erasure and exports of a person.
create index event_email_more on event (team_id, (data ->> 'email'), id)
  where type in ('contact.list_joined', 'contact.list_left', 'contact.event');
