-- The last run of the network checks that an operator started in the dashboard. All processes share it, so that they run at
-- most once a minute, whichever process is asked.
create table server_check (
  -- There is one row.
  id smallint primary key check (id = 1),
  -- A run that takes too long, and ends after the next one began, must not overwrite its findings.
  run_id uuid not null,
  started_at timestamptz not null,
  -- Null: the checks are running, or their process died.
  finished_at timestamptz,
  findings jsonb not null
);
