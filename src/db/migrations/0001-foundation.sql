-- Tenant data: team_id first in every key (docs/adr/0001). Ids, times and jitter come from the program, never from
-- now() or random(). What must be unique over the whole installation has a small table of its own.

create table team (
  id uuid primary key,
  -- Short, lower-case name of the team inside return paths: base32, 8 characters (see mime/return-path.ts).
  tag text not null check (tag ~ '^[a-z2-7]{8}$'),
  name text not null check (length(name) between 1 and 255),
  plan text not null,
  sending_paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table team_tag (
  tag text primary key,
  team_id uuid not null
);

create table api_key (
  team_id uuid not null,
  id uuid not null,
  name text not null,
  permission text not null check (permission in ('full', 'send')),
  domain_id uuid,
  -- The first 8 characters, for people to recognise it by; the key itself is kept nowhere.
  prefix text not null,
  hash bytea not null check (length(hash) = 32),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id)
);

create table api_key_hash (
  hash bytea primary key,
  team_id uuid not null,
  key_id uuid not null
);

create table domain (
  team_id uuid not null,
  id uuid not null,
  -- The A-label in lower case.
  name text not null,
  status text not null check (status in ('pending', 'verified', 'failed', 'temporary_failure')),
  -- Verified by capture mode alone: counts for nothing in another mode.
  captured boolean not null,
  tls text not null check (tls in ('opportunistic', 'enforced')),
  open_tracking boolean not null,
  click_tracking boolean not null,
  -- Each record as last seen in DNS: { record: { outcome, found, checked_at } } (operations/domain-records.ts).
  checks jsonb not null,
  -- Whether the return path's CNAME was last seen in DNS: then bounces of this domain go to its own subdomain.
  return_path_verified boolean not null,
  -- Why it is not verified, or about to be lost, in words for its owner.
  reason text,
  verified_at timestamptz,
  -- When the 72 hours of looking for a pending domain's records began.
  pending_since timestamptz,
  -- Days in a row on which a verified domain's records were seen to be gone, and when the last one was counted.
  failed_days smallint not null check (failed_days between 0 and 7),
  failed_day_at timestamptz,
  checked_at timestamptz,
  -- Null: nobody looks until the owner asks.
  next_check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, id),
  constraint domain_name_unique unique (team_id, name),
  constraint domain_pending_has_since check ((pending_since is null) = (status <> 'pending')),
  constraint domain_captured_is_verified check (not captured or status = 'verified')
);
create index domain_next_check on domain (next_check_at) where next_check_at is not null;

-- Who sends as a name: a row exactly while the status is 'verified' or 'temporary_failure'.
create table verified_domain (
  name text primary key,
  team_id uuid not null,
  domain_id uuid not null
);

create table dkim_key (
  team_id uuid not null,
  domain_id uuid not null,
  algorithm text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  -- The d= tag: here as well, because keys outlive a deleted domain.
  domain_name text not null,
  selector text not null,
  -- What goes into the p= tag of the DNS record (RFC 6376 section 3.6.1).
  public_key text not null,
  -- PKCS#8 DER, sealed with SENDWRIGHT_SECRET_KEY (base/seal.ts).
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  -- When its domain was deleted: emails accepted before that are still signed (operations/domain-keys.ts).
  retired_at timestamptz,
  -- What that domain demanded of connections: it holds for those emails too.
  domain_tls text check (domain_tls in ('opportunistic', 'enforced')),
  primary key (team_id, domain_id, algorithm)
);
create index dkim_key_retired on dkim_key (retired_at) where retired_at is not null;

create table suppression (
  team_id uuid not null,
  id uuid not null,
  -- Lower case, domain as A-label (mime/address.ts, suppressionKey).
  email text not null,
  reason text check (reason in ('manual', 'bounce', 'complaint')),
  source_email_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, email),
  constraint suppression_id_unique unique (team_id, id)
);

-- How much a team has sent. One row a team and month, so that acceptance touches one row: the day's count lives
-- beside the month's and starts again when `day` moves on.
create table usage (
  team_id uuid not null,
  month date not null check (extract(day from month) = 1),
  month_recipients bigint not null check (month_recipients >= 0),
  day date not null,
  day_recipients bigint not null check (day_recipients >= 0),
  emails bigint not null check (emails >= 0),
  primary key (team_id, month)
) with (fillfactor = 50);

-- Counters behind the `total` of lists: never count rows on a request.
create table counter (
  team_id uuid not null,
  name text not null,
  value bigint not null,
  primary key (team_id, name)
) with (fillfactor = 50);

create table rate_window (
  team_id uuid not null,
  bucket text not null,
  opened_at timestamptz not null,
  requests integer not null,
  primary key (team_id, bucket)
) with (fillfactor = 50);

create table idempotency (
  team_id uuid not null,
  key text not null,
  request_hash bytea not null,
  email_ids uuid[] not null,
  created_at timestamptz not null,
  primary key (team_id, key)
);
create index idempotency_created_at on idempotency (created_at);

-- What was accepted. Rows below are partitioned by week over the UUIDv7 of the email, which begins with its time
-- (store/partitions.ts). No foreign keys between them: they are written in one transaction and dropped by partition.
create table email (
  team_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  message_id text not null,
  sender text not null,
  -- The From address alone, lower case: the `from` filter.
  sender_address text not null,
  -- As given: { to, cc, bcc, reply_to }, each an array of strings.
  addressees jsonb not null,
  subject text not null,
  tags jsonb,
  recipient_count smallint not null check (recipient_count between 1 and 150),
  status text not null check (status in ('scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed',
    'bounced', 'failed', 'suppressed', 'canceled', 'rejected', 'partially_delivered')),
  last_event text not null,
  size integer not null check (size > 0),
  scheduled_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (team_id, id)
) partition by range (id);

-- The message's bytes and what is only read one email at a time.
create table email_content (
  team_id uuid not null,
  email_id uuid not null,
  -- 'identity' or 'zstd'.
  encoding text not null check (encoding in ('identity', 'zstd')),
  message bytea not null,
  smtp_utf8 boolean not null,
  headers jsonb,
  attachments jsonb,
  primary key (team_id, email_id)
) partition by range (email_id);

create table email_tag (
  team_id uuid not null,
  name text not null,
  value text not null,
  email_id uuid not null,
  primary key (team_id, name, value, email_id)
) partition by range (email_id);

-- One recipient of one email, from acceptance to its final state. States and moves: docs/states.md.
create table delivery (
  team_id uuid not null,
  email_id uuid not null,
  no smallint not null check (no between 0 and 149),
  kind text not null check (kind in ('to', 'cc', 'bcc')),
  address text not null,
  -- suppressionKey(address): what filters and suppressions compare.
  address_key text not null,
  -- The recipient's domain as A-label in lower case: the destination that claims are fair over.
  domain text collate "C" not null,
  status text not null check (status in ('scheduled', 'queued', 'sent', 'delivered', 'delivery_delayed',
    'bounced', 'failed', 'suppressed', 'canceled', 'rejected')),
  -- True: any worker may claim it now. False: leased, waiting for due_at, or over.
  ready boolean not null,
  due_at timestamptz,
  leased_until timestamptz,
  leased_by uuid,
  attempts smallint not null check (attempts >= 0),
  expires_at timestamptz not null,
  category text,
  smtp_code smallint,
  enhanced_code text,
  response text,
  mx_host text,
  updated_at timestamptz not null,
  primary key (team_id, email_id, no),
  constraint delivery_open_has_due check ((due_at is null) = (status not in ('scheduled', 'queued', 'delivery_delayed'))),
  constraint delivery_lease_whole check ((leased_until is null) = (leased_by is null)),
  constraint delivery_ready_is_free check (not ready or (due_at is not null and leased_by is null))
) partition by range (email_id);
-- What a claim reads: nothing but what may be claimed now, grouped for fairness.
create index delivery_ready on delivery (team_id, domain, due_at) where ready;
-- What becomes ready by time: retries, schedules, and leases that nobody extended.
create index delivery_waiting on delivery (coalesce(leased_until, due_at)) where due_at is not null and not ready;
create index delivery_address on delivery (team_id, address_key, email_id);
-- Filters by an uncommon status; the common ones are found by walking the emails themselves.
create index delivery_uncommon on delivery (team_id, status, email_id)
  where status in ('bounced', 'failed', 'suppressed', 'canceled', 'rejected', 'delivery_delayed');

-- One try at one recipient, with its SMTP conversation.
create table attempt (
  team_id uuid not null,
  email_id uuid not null,
  no smallint not null,
  attempt smallint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  outcome text not null,
  category text not null,
  smtp_code smallint,
  enhanced_code text,
  response text,
  mx_host text,
  mx_address text,
  tls text,
  conversation text not null,
  primary key (team_id, email_id, no, attempt, started_at)
) partition by range (email_id);

-- What happened, to an email, a domain, a contact ...; written in the transaction that causes it.
create table event (
  team_id uuid not null,
  subject_id uuid not null,
  id uuid not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (team_id, subject_id, id)
) partition by range (id);

-- Messages that capture mode kept instead of sending.
create table captured (
  team_id uuid not null,
  id uuid not null,
  email_id uuid,
  mail_from text not null,
  rcpt_to text not null,
  message bytea not null,
  received_at timestamptz not null,
  primary key (team_id, id)
);

alter table captured alter column message set storage external;
alter table email_content alter column message set storage external;
