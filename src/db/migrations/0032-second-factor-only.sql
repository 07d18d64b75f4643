-- Whether a passkey may only follow another step of a login: it is older than the user's link to an OpenID provider, so
-- another person may hold it (docs/adr/0035-single-sign-on.md).
alter table passkey add column is_second_factor_only boolean not null default false;
update passkey p
set is_second_factor_only = true
from sso_identity s
where s.user_id = p.user_id and p.created_at <= s.created_at;
