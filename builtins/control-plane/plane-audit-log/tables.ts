// Defines the database tables of the audit log.

/** `audit_chain` locks an organisation's log, and stores the start of its chain after old lines were removed. Lines are never changed. */
export const tables = `
  create table audit_chain (
    org_id text primary key,
    seq bigint not null default 0, hash text not null default '',
    first_seq bigint not null default 0, first_hash text not null default '',
    keep_days double precision
  );
  create table audit_event (
    org_id text not null, seq bigint not null, event_id text not null, source text not null, user_id text not null default '',
    kind text not null, at text not null, received_at timestamptz not null, chat_id text, turn_id text,
    metrics text not null, hash text not null,
    primary key (org_id, seq), unique (org_id, source, user_id, event_id)
  );
  create index audit_event_kind on audit_event (org_id, kind, seq);
  create index audit_event_received on audit_event (org_id, received_at);
  create function audit_event_stays() returns trigger language plpgsql as $$
    begin raise exception 'a line of the audit log is never changed'; end $$;
  create trigger audit_event_stays before update on audit_event for each row execute function audit_event_stays()`;
