// Opens the accounts of a home folder with a control plane that uses the OAuth server of the tests.
import { join } from 'node:path';
import { createAccounts, type Accounts } from '../../../../builtins/connections/integrations/accounts.ts';
import { createHostedSite } from '../../../../builtins/connections/integrations/hosted-site.ts';
import { createConnectionStore } from '../../../../plugins/connections/connection-store.ts';
import { createIds } from '../../../../plugins/storage/ids.ts';
import { createRefusals } from '../../../../plugins/storage/refusals.ts';
import { createStorage } from '../../../../plugins/storage/storage.ts';

export interface TokenPlace {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const coded = (code: string, details: object = {}): any => Object.assign(new Error(code), { code, details });

export function openAccounts(home: string, { tokenUrl, clientId, clientSecret }: TokenPlace): Accounts {
  const storage = createStorage({
    ids: createIds(),
    locked: (path) => coded('STORAGE_ERR_LOCKED', { path }),
    busy: (path) => coded('STORAGE_ERR_BUSY', { path }),
    reportCorrupt: (path) => {
      throw coded('STORAGE_ERR_CORRUPT', { path });
    },
    refusals: createRefusals({ error: (reason: string) => coded(`STORAGE_ERR_${reason}`), report: () => undefined }),
    warn: () => undefined,
  });
  const store = createConnectionStore({ storage, product: { name: 'app', title: 'App', version: '1', home: join(home), startFolder: home } }, (name) =>
    coded('CONNECTIONS_ERR_ENTRY_INVALID', { name }),
  );
  const makeError = (reason: string, details?: object): Error => coded(`INTEGRATIONS_ERR_${reason}`, details);
  const controlPlane = {
    async request({ body }: { readonly body: { readonly refreshToken: string } }) {
      const fields = { grant_type: 'refresh_token', refresh_token: body.refreshToken, client_id: clientId, client_secret: clientSecret };
      const reply = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(fields) });
      const answer = await reply.json();
      if (!reply.ok) throw coded('HUB_ERR_PLANE_REFUSED', { code: answer.error });
      const expiresAt = new Date(Date.now() + answer.expires_in * 1_000).toISOString();
      return { status: 200, headers: {}, body: { accessToken: answer.access_token, refreshToken: answer.refresh_token, expiresAt } };
    },
  };
  const site = createHostedSite({ http: {} as never, hubSite: undefined, controlPlane: controlPlane as never }, new AbortController().signal, makeError);
  return createAccounts({ store, site, changed: () => undefined, makeError, warn: () => undefined });
}
