// Defines the database tables of organisations, people, sessions and invitations. Tokens are stored only as hashes.

/** `operates` identifies the one organisation whose owners operate this control plane. */
export const tables = `
create table organisation (
  id text primary key,
  name text not null,
  tier text not null check (tier in ('community', 'pro', 'team', 'enterprise')),
  seats int not null check (seats > 0),
  operates boolean not null default false,
  made_at timestamptz not null default now()
);
create unique index organisation_operator on organisation (operates) where operates;

create table person (
  id text primary key,
  email text not null unique check (email = lower(email)),
  password text,
  made_at timestamptz not null default now()
);

create table membership (
  org_id text not null references organisation (id) on delete cascade,
  user_id text not null references person (id) on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  joined_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (org_id, user_id)
);
create index membership_person on membership (user_id);

create table session (
  id text primary key,
  token_hash text not null unique,
  user_id text not null references person (id) on delete cascade,
  org_id text references organisation (id) on delete set null,
  peer text not null,
  agent text,
  made_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create index session_person on session (user_id);

create table invite (
  id text primary key,
  token_hash text not null unique,
  org_id text not null references organisation (id) on delete cascade,
  role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
  email text,
  invited_by text references person (id) on delete set null,
  made_at timestamptz not null default now(),
  ends_at timestamptz not null,
  used_at timestamptz,
  used_by text references person (id) on delete set null
);
create index invite_org on invite (org_id);

create table password_reset (
  token_hash text primary key,
  user_id text not null references person (id) on delete cascade,
  ends_at timestamptz not null
);

create table set_up_token (
  token_hash text primary key,
  ends_at timestamptz not null
);

create table attempt (
  kind text not null,
  key_hash text not null,
  begun_at timestamptz not null default now(),
  count bigint not null,
  primary key (kind, key_hash)
);
create index attempt_begun on attempt (begun_at);
`;

/** A session started by an organisation's single sign-on is bound to that organisation. */
export const boundSessions = `
alter table session add column bound boolean not null default false;
create index session_bound on session (org_id) where bound;
`;
