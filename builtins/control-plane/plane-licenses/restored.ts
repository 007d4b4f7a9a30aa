// What a restore does to licenses: one that was revoked does not come back.
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';

export const restoredLicenses: RestoreStep = {
  name: 'revoked-licenses',
  async keep(query) {
    return (await query.query<{ jti: string }>('select jti from license where revoked_at is not null')).map(({ jti }) => jti);
  },
  async apply(query, { isSignOut }, kept) {
    await query.query('update license set revoked_at = now() where revoked_at is null and ($1 or jti = any($2::text[]))', [isSignOut, kept ?? []]);
  },
};
