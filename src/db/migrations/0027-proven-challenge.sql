-- The challenge that proved the host for its last certificate: the next attempt begins with it.
alter table tls_certificate add column proven_by text;
