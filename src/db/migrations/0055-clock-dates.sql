-- Contacts are looked through in the order of their dates, as in the index (automations/rows/clocks-queries.ts).

alter table automation_clock
  -- The date of the contact `after`; null: none was looked at, or an earlier version did, and the stretch begins anew.
  add column after_date timestamptz;
