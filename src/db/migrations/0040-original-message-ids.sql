-- The Message-ID that a request gave and Sendwright replaced, without angle brackets. Replies that name it are sent with the
-- Message-ID that recipients know.
alter table email add column original_message_id text;
create index email_original_message_id on email (team_id, original_message_id) where original_message_id is not null;
