-- The recipient domains to which a delivering process cannot send now, because their sites are paused or their rate is
-- used up; '*' for all domains. Deliveries that wait for them are not late: GET /readyz leaves them out.
alter table site_reporter add column closed_domains text[] not null default '{}';
