-- Requests with API keys, for the team to read (docs/adr/0036-request-log.md). Partitioned by week like emails, written in
-- batches after the response. No bodies, queries or headers: only what the columns name.
create table request_log (
  team_id uuid not null,
  -- The x-request-id of the response. It starts with the time at which the request arrived.
  id uuid not null,
  api_key_id uuid not null,
  method text not null,
  -- The path as the API document has it, such as `/emails/{id}`; null: no route has the path.
  route text,
  -- The path with its ids. Whatever is neither an id nor part of a route is left out.
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  -- By Content-Length; null where there is none.
  request_bytes bigint,
  response_bytes bigint,
  ip_address text,
  user_agent text,
  -- The record that a POST created.
  record_id uuid,
  -- Name and messages of the error, without addresses; null for a success.
  error jsonb,
  created_at timestamptz not null,
  primary key (team_id, id)
) partition by range (id);

-- Failures are what people look for, and are few. Successes cost no entry.
create index request_log_failed on request_log (team_id, id) where status >= 400;
