// Manages the token and the configuration of a client: reads the configuration, which contains the token for pages that may have it, and replaces a refused
// token.
import { CallError, type ApiCall, type Config } from './api.ts';
import type { KeptTexts } from './client-contract.ts';

export interface ClientAccess {
  token(): string | undefined;
  readConfig(): Promise<void>;
  /** Resolves when the configuration has been read once. */
  readonly configured: Promise<void>;
  /** Reads the configuration, without the stored token if the server refuses it. Never rejects. */
  begin(): Promise<void>;
  /** Uses and stores a token that the user entered. */
  use(token: string): void;
  /** Requests another token after a refusal. Resolves with `true` if there is one. */
  renew(): Promise<boolean>;
}

export interface ClientAccessParts {
  readonly call: ApiCall;
  readonly kept: KeptTexts | undefined;
  readonly token: string | undefined;
  onConfig(config: Config): void;
}

const tokenKey = 'token';

export function createClientAccess({ call, kept, token: given, onConfig }: ClientAccessParts): ClientAccess {
  let token = given ?? readToken(kept);
  let isConfigured: () => void = () => undefined;
  const configured = new Promise<void>((resolve) => (isConfigured = resolve));

  async function readConfig(): Promise<void> {
    const config = await call('GET /api/config');
    token ??= config.webAuthToken;
    isConfigured();
    onConfig(config);
  }

  return {
    token: () => token,
    readConfig,
    configured,
    async begin() {
      try {
        await readConfig();
      } catch (fault) {
        // The token is outdated; the page may be able to fetch a new one.
        if (!(fault instanceof CallError) || fault.status !== 401 || token === undefined) return;
        token = undefined;
        await readConfig().catch(() => undefined);
      }
    },
    use(entered) {
      token = entered.trim();
      keepToken(kept, token);
    },
    async renew() {
      const old = token;
      token = undefined;
      try {
        await readConfig();
        return token !== undefined && token !== old;
      } catch {
        token ??= old;
        return false;
      }
    },
  };
}

function readToken(kept: KeptTexts | undefined): string | undefined {
  try {
    return kept?.getItem(tokenKey) ?? undefined;
  } catch {
    return undefined; // the browser provides no storage
  }
}

function keepToken(kept: KeptTexts | undefined, token: string): void {
  try {
    kept?.setItem(tokenKey, token);
  } catch {
    // the token must be entered again after a restart
  }
}
