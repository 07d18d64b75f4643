-- A retry of many recipients: up to which contact those that failed wait again; null: no retry is under way.
alter table campaign add column retry_after uuid;
