// Manages the web token of the server: creates it on first use, stores it in a file, and replaces it on demand.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { isSameSecret } from '#lib/hash';
import type { Principal, TokenSource, WebToken } from 'agent-harness/plugins/http';
import type { Storage } from 'agent-harness/plugins/storage';
import type { MakeError } from './errors.ts';

export const tokenFileName = 'web_token';
/** Minimum length of the token in characters. A shorter token in the file is replaced, because it could be guessed. */
export const minTokenLength = 16;

export interface WebTokenParts {
  readonly home: string;
  readonly storage: Storage;
  /** Token from the environment; overrides the file. */
  readonly fixed: string | undefined;
  readonly makeError: MakeError;
  readonly onRotated: () => void;
}

export interface OwnedWebToken extends WebToken {
  /** Reads the file again, because another process may have replaced the token. */
  reload(): Promise<void>;
}

export function createWebToken(parts: WebTokenParts): OwnedWebToken {
  const { storage, fixed } = parts;
  const path = join(parts.home, tokenFileName);
  let known: Promise<string> | undefined;
  /** Rotating and reloading run one after the other, because neither may restore a token that the other has replaced. */
  const queue = createSerialQueue();

  async function load(): Promise<string> {
    const saved = await read();
    if (saved !== undefined) return saved;
    // If two processes create the token at the same time, both use the first one. A token that is too short is replaced.
    const isThere = await storage.has(path);
    await storage.writeFile(path, randomToken(), isThere ? {} : { keepsExisting: true });
    return (await read()) ?? (await load());
  }

  async function read(): Promise<string | undefined> {
    const text = (await storage.readText(path))?.trim();
    return text !== undefined && text.length >= minTokenLength && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
  }

  function current(): Promise<string> {
    if (fixed !== undefined) return Promise.resolve(fixed);
    known ??= load().catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
    return known;
  }

  return {
    current,
    rotate: () =>
      queue.run(async () => {
        if (fixed !== undefined) throw parts.makeError('TOKEN_FIXED');
        const token = randomToken();
        await storage.writeFile(path, token);
        known = Promise.resolve(token);
        parts.onRotated();
        return token;
      }),
    reload: () =>
      queue.run(async () => {
        if (fixed !== undefined || !known) return;
        const saved = await read();
        if (saved === undefined || saved === (await known)) return;
        known = Promise.resolve(saved);
        parts.onRotated();
      }),
  };
}

const owner: Principal = { kind: 'owner', id: 'owner', role: 'owner' };

/** Creates the token source for the web token. @param fixed token from the environment, which overrides the file */
export function webTokenSource(webToken: WebToken, fixed: string | undefined): TokenSource {
  return {
    name: 'web token',
    identify: async (token) => (isSameSecret(token, await webToken.current()) ? owner : undefined),
    isSetUp: () => fixed !== undefined,
  };
}

function randomToken(): string {
  return randomBytes(32).toString('hex');
}
