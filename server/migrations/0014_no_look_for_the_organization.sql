-- Whether its organization exists was asked for every account and every card that was made, under a lock on the
-- organization's row that all of its batches shared. It is the caller's own, and organizations are never deleted.
alter table accounts drop constraint accounts_organization_id_fkey;
alter table cards drop constraint cards_organization_id_fkey;
