// Defines the database tables for OAuth clients and pending connections. They never contain a token of a user.

export const tables = `
create table connector (
  provider text primary key,
  client_id text not null,
  sealed_secret text not null,
  changed_at timestamptz not null default now()
);
create table connect_state (
  state_hash text primary key,
  provider text not null,
  user_id text not null,
  mode text not null,
  redirect_uri text not null,
  sealed text not null,
  made_at timestamptz not null default now()
);
create index connect_state_of_user on connect_state (user_id, made_at);
create index connect_state_age on connect_state (made_at);
`;
