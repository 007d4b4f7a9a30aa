// Defines the database tables of the relay: hosts and admitted guests. They contain codes and tokens only as hashes, and no relayed data.

export const tables = `
create table relay_session (
  id text primary key,
  code_hash text not null unique,
  proof_hash text not null,
  role text not null check (role in ('view', 'control')),
  user_id text not null references person (id) on delete cascade,
  org_id text not null references organisation (id) on delete cascade,
  made_at timestamptz not null default now(),
  host_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  wrong_tries int not null default 0
);
create index relay_session_person on relay_session (user_id);
create index relay_session_end on relay_session (expires_at);

create table relay_guest (
  session_id text not null references relay_session (id) on delete cascade,
  guest text not null,
  token_hash text not null unique,
  joined_at timestamptz not null default now(),
  primary key (session_id, guest)
);
`;

/** Sessions whose guests are paired devices that run the page itself. */
export const pageRole = `
alter table relay_session drop constraint relay_session_role_check;
alter table relay_session add constraint relay_session_role_check check (role in ('view', 'control', 'page'));
`;
