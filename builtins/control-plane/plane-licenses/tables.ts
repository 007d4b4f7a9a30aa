// Defines the database table of licenses. The table contains no tokens: they can be recreated and are verified by their signature.

export const tables = `
create table license (
  jti text primary key,
  user_id text not null references person (id) on delete cascade,
  org_id text not null references organisation (id) on delete cascade,
  tier text not null check (tier in ('community', 'pro', 'team', 'enterprise')),
  follows_plan boolean not null,
  entitlements jsonb not null default '[]',
  made_at timestamptz not null default now(),
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  seen_at timestamptz,
  device text
);
create index license_person on license (user_id, org_id);
create index license_org on license (org_id) where revoked_at is null;
`;
