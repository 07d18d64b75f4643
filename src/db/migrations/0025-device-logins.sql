-- Logins of command lines, which a person confirms in the dashboard (docs/adr/0032-two-kinds-of-commands.md). A row lives for
-- some minutes.
create table device_login (
  -- SHA-256 of the device code, which only the program has. Confirmed, the code becomes an API key.
  device_hash bytea primary key,
  -- The first characters of that key, as lists show them.
  prefix text not null,
  -- HMAC of the code that the person types, under the installation's secret: its few letters could be guessed from a hash.
  user_code_hash bytea not null constraint device_login_user_code_unique unique,
  -- As the program names itself.
  client_name text not null,
  ip_address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The last poll that was answered.
  polled_at timestamptz,
  status text not null check (status in ('pending', 'approved', 'denied')),
  -- The key, once approved.
  team_id uuid,
  key_id uuid,
  constraint device_login_key check ((status = 'approved') = (team_id is not null) and (team_id is null) = (key_id is null))
);
create index device_login_expires on device_login (expires_at);
