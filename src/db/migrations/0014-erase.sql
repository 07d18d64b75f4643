-- People who are to be forgotten (docs/guides/personal-data.md). What is asked for holds from the commit on; the rest is
-- worked off in batches, by any process with the role `scheduler`.
create table erasure (
  team_id uuid not null,
  -- Its time: what was accepted before is erased, what comes after is another person's.
  id uuid not null,
  -- In the form in which addresses are compared. Null: it is done, and the address is nowhere any more.
  address text collate "C",
  -- What stands in its place in emails, deliveries and events.
  pseudonym text not null,
  -- The newest event at its beginning: events behind it are looked through at the end.
  feed_position bigint not null check (feed_position >= 0),
  -- Emails erased so far.
  emails integer not null check (emails >= 0),
  -- When somebody is to work on it; null: it is done.
  due_at timestamptz,
  leased_by uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (team_id, id),
  constraint erasure_lease_whole check ((leased_until is null) = (leased_by is null)),
  constraint erasure_done_forgets check ((address is null) = (due_at is null) and (address is null) = (finished_at is not null))
);
create index erasure_due on erasure (due_at) where due_at is not null;
-- Asked before each try at a recipient.
create index erasure_address on erasure (team_id, address) where address is not null;
create index erasure_finished on erasure (finished_at) where finished_at is not null;

-- Messages that went to somebody who is erased and are still to be delivered to others: they go when that is over.
create table erasure_content (
  team_id uuid not null,
  email_id uuid not null,
  erasure_id uuid not null,
  primary key (team_id, email_id)
);
create index erasure_content_erasure on erasure_content (team_id, erasure_id);

-- Contacts that were deleted are found by their address.
create index contact_deleted_email on contact (team_id, email) where deleted_at is not null;
-- Events that hold an address of their own, which those of emails do not. Its condition stands word for word in
-- store/erase-traces.ts.
create index event_email on event (team_id, (data ->> 'email'), id) where type in (
  'contact.created', 'contact.updated', 'contact.deleted', 'contact.unsubscribed', 'suppression.added', 'suppression.removed'
);
create index captured_email on captured (team_id, email_id);
