-- Members of segments whose conditions change, or come true by time alone (docs/adr/0054-automations.md).

alter table automation_segment
  -- A hash of the conditions that its members were compared with; null: as an earlier version left them.
  add column conditions text,
  -- The latest change of the segment or of a property in it that was compared.
  add column changed_at timestamptz,
  -- When its members are next compared without an event; null: time alone brings in no contact.
  add column sweep_at timestamptz,
  -- The last contact of the comparison under way; null: none is.
  add column sweep_after uuid;
create index automation_segment_sweep on automation_segment (sweep_at) where sweep_at is not null;

alter table automation_entry
  -- When the last run that retention deleted had ended.
  add column ended_at timestamptz;

-- The versions that ended runs used, which are kept.
create index automation_run_ended_on on automation_run (team_id, automation_id, version) where state = 'ended';
