// The tables of the bus: PostgreSQL is its log, whatever wakes the readers.

/** `bus_workspace` is the lock under which a message gets its cursor: who has the next one waits until this one is committed, so no reader skips any. */
export const tables = `
  create table bus_workspace (org_id text not null, workspace text not null, cursor bigint not null, primary key (org_id, workspace));
  create table bus_message (
    org_id text not null, workspace text not null, cursor bigint not null, at timestamptz not null,
    key text not null, envelope text not null, user_id text not null, name text not null, client_id text not null, mutation_id text not null,
    primary key (org_id, workspace, cursor), unique (org_id, user_id, client_id, mutation_id)
  );
  create index bus_message_at on bus_message (at)`;

/** Cursors of a plane that was restored begin above all that readers may have seen: of places that the backup did not know, too. */
export const floors = `
  create table bus_floor (only_one boolean primary key default true check (only_one), cursor bigint not null)`;
