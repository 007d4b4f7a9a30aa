// Determines the scopes to request in a sign-in: those that the server requires now, in addition to the granted ones.
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

export function scopesOf(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((scope) => scope !== '');
}

export function joinScopes(...texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.flatMap(scopesOf))].join(' ');
}

export function covers(granted: string | undefined, wanted: string | undefined): boolean {
  const has = new Set(scopesOf(granted));
  return scopesOf(wanted).every((scope) => has.has(scope));
}

/**
 * Reports each response that requires additional scopes before it is processed. @param note receives the scopes, or nothing if the response does not name them
 */
export function watchScopes(send: FetchLike, note: (scope: string | undefined) => Promise<void>): FetchLike {
  return async (url, init) => {
    const answer = await send(url, init);
    if (answer.status !== 403) return answer;
    const { error, scope } = extractWWWAuthenticateParams(answer);
    if (error === 'insufficient_scope') await note(scope);
    return answer;
  };
}
