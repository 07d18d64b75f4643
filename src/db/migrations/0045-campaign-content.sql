-- The text that mail clients show behind the subject, and where replies go.
alter table campaign
  add column preview_text text check (preview_text <> ''),
  add column reply_to text check (reply_to <> '');
-- A version has the reply address already: that of its template or sender, unless the campaign had one.
alter table campaign_version add column preview_text text;
