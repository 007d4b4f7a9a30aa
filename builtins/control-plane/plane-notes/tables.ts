// Defines the database tables of synchronised notes.

export const noteTables = `
create table note_set (
  id bigint generated always as identity primary key,
  org_id text not null,
  -- Empty: the organisation's.
  user_id text not null,
  workspace text not null,
  revision bigint not null default 0,
  -- Deletions up to here are forgotten.
  horizon bigint not null default 0,
  horizon_at timestamptz,
  -- The set was taken away at this revision.
  emptied bigint not null default 0,
  mark text not null default '',
  unique (org_id, user_id, workspace)
);
create table note (
  set_id bigint not null references note_set on delete cascade,
  key text not null,
  value text not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  revision bigint not null,
  source jsonb,
  confidence double precision,
  links jsonb,
  by_id text not null,
  by_email text not null,
  received_at timestamptz not null,
  primary key (set_id, key)
);
create index note_by_revision on note (set_id, revision, key);
create index note_tombstone on note (received_at) where deleted_at is not null;
create table note_revision (
  set_id bigint not null references note_set on delete cascade,
  revision bigint not null,
  mark text not null,
  at timestamptz not null,
  primary key (set_id, revision)
);
create index note_revision_by_time on note_revision (at);
create table note_version (
  id bigint generated always as identity primary key,
  set_id bigint not null references note_set on delete cascade,
  key text not null,
  value text not null,
  updated_at timestamptz not null,
  replaced_at timestamptz not null,
  reason text not null,
  by_id text not null,
  by_email text not null
);
create index note_version_by_key on note_version (set_id, key, id);
create index note_version_by_time on note_version (replaced_at);
create table note_client (
  org_id text not null,
  user_id text not null,
  client_id text not null,
  newest bigint not null default 0,
  primary key (org_id, user_id, client_id)
);
create table note_mutation (
  org_id text not null,
  user_id text not null,
  client_id text not null,
  mutation_id bigint not null,
  -- SHA-256 of what was sent.
  content text not null,
  revision bigint not null,
  at timestamptz not null,
  primary key (org_id, user_id, client_id, mutation_id)
);
create index note_mutation_by_time on note_mutation (at);
`;
