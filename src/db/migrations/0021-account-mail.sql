-- Until this version capture mode kept account mail (invitations, password resets) in the captured mailbox, which every
-- viewer of the team reads, and a reset link in it made an owner of its reader.
delete from captured m
using email_content c
where c.team_id = m.team_id
and c.email_id = m.email_id
and c.headers -> 0 ->> 0 = '(withheld)';
