// Defines the database tables of single sign-on.

/** A domain is verified (`proven_at`) for at most one organisation. */
export const tables = `
create table sso_config (
  org_id text primary key references organisation (id) on delete cascade,
  enabled boolean not null,
  issuer text not null,
  client_id text not null,
  sealed_secret text,
  changed_at timestamptz not null default now()
);

create table sso_domain (
  org_id text not null references organisation (id) on delete cascade,
  domain text not null,
  proven_at timestamptz,
  primary key (org_id, domain)
);
create unique index sso_domain_proven on sso_domain (domain) where proven_at is not null;

create table sso_identity (
  org_id text not null references organisation (id) on delete cascade,
  issuer text not null,
  subject text not null,
  user_id text not null references person (id) on delete cascade,
  made_at timestamptz not null default now(),
  primary key (org_id, issuer, subject)
);
create index sso_identity_person on sso_identity (user_id);

create table sso_state (
  state_hash text primary key,
  browser_hash text not null,
  org_id text not null references organisation (id) on delete cascade,
  issuer text not null,
  nonce text not null,
  sealed_verifier text not null,
  user_id text references person (id) on delete cascade,
  ends_at timestamptz not null
);
`;
