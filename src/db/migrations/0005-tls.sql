-- What other domains demand of TLS, and how our sessions with them went. Nothing here belongs to a team: these tables are the
-- installation's.

-- MTA-STS policies (RFC 8461) as last fetched: shared by all processes, and kept over restarts.
create table sts_policy (
  domain text collate "C" primary key,
  policy_id text not null,
  mode text not null check (mode in ('enforce', 'testing', 'none')),
  mx text[] not null,
  max_age_seconds integer not null check (max_age_seconds between 0 and 31557600),
  fetched_at timestamptz not null,
  expires_at timestamptz not null
);
create index sts_policy_expires_at on sts_policy (expires_at);

-- The policies of a day's sessions, for the daily reports (RFC 8460).
create table tls_policy (
  day date not null,
  -- SHA-256 over all that follows.
  hash bytea not null check (length(hash) = 32),
  type text not null check (type in ('sts', 'tlsa')),
  -- The recipients' domain for sts, the TLSA base domain for tlsa.
  domain text not null,
  lines text[] not null,
  mx_patterns text[] not null,
  primary key (day, hash)
);

-- Sessions by outcome. `domain` is the recipients', whose record says where reports go.
create table tls_session (
  day date not null,
  domain text collate "C" not null,
  policy_hash bytea not null,
  -- Empty: the session satisfied the policy. Else as in RFC 8460 section 4.3; the columns after it are told of failures alone.
  result_type text not null,
  mx_host text collate "C" not null,
  receiving_ip text not null,
  sending_ip text not null,
  reason text not null,
  sessions bigint not null check (sessions > 0),
  primary key (day, domain, policy_hash, result_type, mx_host, receiving_ip, sending_ip, reason)
) with (fillfactor = 70);

-- One report a domain and day, from the first session on.
create table tls_report (
  day date not null,
  domain text collate "C" not null,
  -- Null: over.
  due_at timestamptz,
  tries smallint not null check (tries >= 0),
  report_id text,
  -- The JSON as sent, compressed with gzip.
  report bytea,
  -- { to, state: waiting | sending | sent | failed, reason }, one for each address of the domain's record.
  destinations jsonb,
  created_at timestamptz not null,
  primary key (day, domain)
);
create index tls_report_due on tls_report (due_at) where due_at is not null;
