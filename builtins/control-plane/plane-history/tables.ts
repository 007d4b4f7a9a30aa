// Defines the database tables of the session history.

export const historyTables = `
create table history_session (
  id bigint generated always as identity primary key,
  org_id text not null,
  user_id text not null,
  session_id text not null,
  total bigint not null default 0,
  next_seq bigint not null default 0,
  at timestamptz not null default now(),
  unique (org_id, user_id, session_id)
);
create index history_session_by_time on history_session (at);
create table history_chunk (
  session bigint not null references history_session on delete cascade,
  seq bigint not null,
  sha256 text not null,
  primary key (session, seq)
);
create table history_line (
  session bigint not null references history_session on delete cascade,
  line bigint not null,
  -- Whose it is, as a word: a search looks up the words and this one in the same index.
  owner text not null,
  text text not null,
  at timestamptz not null default now(),
  -- A long line is found by its beginning: a document of words has an upper bound.
  words tsvector generated always as (to_tsvector('simple'::regconfig, left(text, 20000)) || array_to_tsvector(array[owner])) stored,
  primary key (session, line)
);
create index history_line_words on history_line using gin (words);
`;
