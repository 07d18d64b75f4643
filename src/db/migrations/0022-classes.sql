-- Transactional and bulk mail of one team (docs/adr/0030-two-classes.md). Older mail is transactional. The recipients of
-- an email have its class: it is repeated in their rows, because a claim reads it from the index.
alter table email add column bulk boolean not null default false;
alter table delivery add column bulk boolean not null default false;

-- The order of a claim: within a team its classes, within each class its destinations.
drop index delivery_ready;
create index delivery_ready on delivery (team_id, bulk, domain, due_at, email_id) where ready;

-- Lists of bulk mail. Transactional mail costs no entry: its list is a scan of the team's emails, which is bounded.
create index email_bulk on email (team_id, id) where bulk;
