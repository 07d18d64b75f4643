-- Tells whether any email still names a pack, however long ago its first email was sent.
create index packed_content_pack on packed_content (team_id, pack_id);
