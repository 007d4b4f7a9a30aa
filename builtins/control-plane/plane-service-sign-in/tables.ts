// Defines the database tables of pending sign-ins: hashed codes, and used states.

export const tables = `
create table device_code (
  device_hash text primary key,
  user_hash text not null unique,
  device text,
  peer text not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  poll_seconds int not null,
  polled_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
  user_id text references person (id) on delete cascade,
  org_id text references organisation (id) on delete cascade
);
create index device_code_end on device_code (expires_at);

create table used_sign_in_state (
  state_hash text primary key,
  used_at timestamptz not null default now()
);
`;
