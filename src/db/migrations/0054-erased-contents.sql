-- Several people of one email may be erased while others have yet to receive it: each erasure waits for it.
alter table erasure_content drop constraint erasure_content_pkey;
alter table erasure_content add constraint erasure_content_pkey primary key (team_id, email_id, erasure_id);
