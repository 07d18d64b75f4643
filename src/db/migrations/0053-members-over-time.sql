-- Members of segments whose conditions change, or come true by time alone (docs/adr/0054-automations.md).

alter table automation_segment
  -- A hash of the conditions that its members were compared with; null: as an earlier version left them.
  add column conditions text,
  -- When the segment or a property in it was last changed before that.
  add column changed_at timestamptz,
  -- When its members are next compared without an event; null: time alone brings in no contact.
  add column sweep_at timestamptz,
  -- The last contact of the comparison under way; null: none is.
  add column sweep_after uuid;
create index automation_segment_sweep on automation_segment (sweep_at) where sweep_at is not null;

alter table automation_entry
  -- When the last of its runs ended that are no longer kept.
  add column ended_at timestamptz;
